import type { During } from '../around-questions.ts'
import type { FairSlots, Slot } from '../limits/index.ts'

/** The slot of a call, which others use while a server's question is open. */
export interface LentSlot extends Slot {
  /** The answer is given when the call has its slot again, or needs none any more. */
  during: During
}

export function createLentSlot(
  slots: Pick<FairSlots, 'acquireAgain'>,
  tenant_id: string,
  first: Slot,
): LentSlot {
  let slot: Slot | undefined = first
  let open = 0
  let isOver = false

  async function takeBack(signal: AbortSignal): Promise<void> {
    // Who has left needs none.
    const back = await Promise.try(slots.acquireAgain, tenant_id, signal).catch(() => undefined)
    if (isOver || open > 0 || slot !== undefined) back?.release()
    else slot = back
  }

  return {
    async during(ask, { signal }) {
      open += 1
      slot?.release()
      slot = undefined
      try {
        return await ask()
      } finally {
        open -= 1
        if (open === 0 && !isOver) await takeBack(signal)
      }
    },
    release() {
      isOver = true
      slot?.release()
    },
  }
}
