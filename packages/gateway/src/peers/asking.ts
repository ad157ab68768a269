import type { Clock } from '@dataagent/guard'
import type { AskOptions, PeerAnswer, PeerMessage } from './contract.ts'
import type { Letter } from './letter.ts'

export interface AskingOptions {
  name: string
  clock: Clock
  /** One who says nothing for so long has gone. */
  silenceMs: number
  send(to: string, letter: Letter): Promise<boolean>
}

interface Open {
  to: string
  onPart: ((part: unknown) => void) | undefined
  /** Another sign of life: the wait begins anew. */
  hear(): void
  settle(answer: PeerAnswer | undefined): void
}

/** What this process has asked of others and has no answer to yet. */
export function createAsking({ name, clock, silenceMs, send }: AskingOptions) {
  const open = new Map<number, Open>()
  let count = 0

  function wait(ask: number, to: string, { onPart, signal }: AskOptions) {
    const { promise, resolve } = Promise.withResolvers<PeerAnswer | undefined>()
    let cancel = () => {}
    const settle = (answer: PeerAnswer | undefined) => {
      cancel()
      signal?.removeEventListener('abort', stop)
      open.delete(ask)
      resolve(answer)
    }
    const hear = () => {
      cancel()
      cancel = clock.after(silenceMs, () => settle(undefined))
    }
    const stop = () => {
      void send(to, { kind: 'stop', from: name, ask })
      settle(undefined)
    }
    signal?.addEventListener('abort', stop)
    open.set(ask, { to, onPart, hear, settle })
    hear()
    return promise
  }

  return {
    async ask(to: string, message: PeerMessage, options: AskOptions) {
      if (options.signal?.aborted) return undefined
      count += 1
      const ask = count
      const answer = wait(ask, to, options)
      const isSent = await send(to, { kind: 'ask', from: name, ask, message })
      if (!isSent) open.get(ask)?.settle(undefined)
      return answer
    },
    receive(letter: Exclude<Letter, { kind: 'tell' | 'ask' | 'stop' }>) {
      const asked = open.get(letter.ask)
      if (asked === undefined || asked.to !== letter.from) return
      asked.hear()
      if (letter.kind === 'part') asked.onPart?.(letter.part)
      if (letter.kind === 'answer') asked.settle({ value: letter.value })
      if (letter.kind === 'none') asked.settle(undefined)
    },
    close() {
      for (const asked of [...open.values()]) asked.settle(undefined)
    },
  }
}
