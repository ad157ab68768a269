import { createFakeClock } from '@dataagent/testkit'
import type { FairSlots } from './contract.ts'

/** A tenant that calls at a steady pace, each call taking 5 to 15 ms. */
export interface Load {
  tenant_id: string
  everyMs: number
  calls: number
}

export interface Simulated {
  /** Milliseconds from call to end, waiting included, that 99 of 100 calls did not exceed. */
  p99(tenant_id: string): number
  /** Calls that were told `busy`. */
  refused(tenant_id: string): number
}

/** Runs the loads on a fake clock; the same each time. */
export async function simulate(slots: FairSlots, loads: readonly Load[]): Promise<Simulated> {
  const clock = createFakeClock()
  const took = new Map<string, number[]>()
  const refused = new Map<string, number>()
  let lasting = 0

  async function call({ tenant_id }: Load): Promise<void> {
    const begun = clock.monotonic()
    const given = slots.acquire(tenant_id)
    if (given === 'busy') return void refused.set(tenant_id, (refused.get(tenant_id) ?? 0) + 1)
    const slot = await given
    lasting = (lasting + 7) % 11
    clock.after(5 + lasting, () => {
      slot.release()
      const own = took.get(tenant_id) ?? []
      took.set(tenant_id, own)
      own.push(clock.monotonic() - begun)
    })
  }

  for (const load of loads) startLoad(load)
  while (clock.pending() > 0) {
    clock.advance(0.2)
    for (let turn = 0; turn < 4; turn++) await undefined
  }

  function startLoad(load: Load, made = 0): void {
    if (made === load.calls) return
    void call(load)
    clock.after(load.everyMs, () => startLoad(load, made + 1))
  }

  return {
    p99(tenant_id) {
      const sorted = (took.get(tenant_id) ?? []).toSorted((a, b) => a - b)
      return sorted[Math.floor(sorted.length * 0.99)] ?? 0
    },
    refused: (tenant_id) => refused.get(tenant_id) ?? 0,
  }
}
