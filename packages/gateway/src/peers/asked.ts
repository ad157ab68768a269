import type { Clock } from '@dataagent/guard'
import type { AskOptions, PeerAnswer, PeerHandler, PeerMessage } from './contract.ts'
import type { Letter } from './letter.ts'
import { createPacing } from './paced-parts.ts'

export interface AskedOptions {
  name: string
  clock: Clock
  beatMs: number
  handlers: ReadonlyMap<string, PeerHandler>
  send(to: string, letter: Letter): Promise<boolean>
  onError(error: unknown): void
}

type Ask = Extract<Letter, { kind: 'ask' }>

/** What others ask of this process. */
export function createAsked(options: AskedOptions) {
  const { name, clock, beatMs, handlers, send, onError } = options
  const underWay = new Map<string, AbortController>()
  const pace = createPacing({ clock })

  async function run(
    message: PeerMessage,
    context: { from: string; signal: AbortSignal; tellPart(part: unknown): void },
  ): Promise<PeerAnswer | undefined> {
    try {
      const handler = handlers.get(message.kind)
      return handler && { value: await handler(message, context) }
    } catch (error) {
      onError(error)
      return undefined
    }
  }

  async function answer({ from, ask, message }: Ask): Promise<void> {
    const stopping = new AbortController()
    const key = `${from} ${ask}`
    underWay.set(key, stopping)
    const say = (letter: Letter) => void send(from, letter)
    const endBeat = beat(() => say({ kind: 'beat', from: name, ask }))
    const parts = pace((part) => send(from, { kind: 'part', from: name, ask, part }))
    const given = await run(message, { from, signal: stopping.signal, tellPart: parts.tell })
    parts.end()
    endBeat()
    underWay.delete(key)
    if (given === undefined) return say({ kind: 'none', from: name, ask })
    say({ kind: 'answer', from: name, ask, value: given.value })
  }

  /** At once, then as long as it takes. */
  function beat(say: () => void): () => void {
    say()
    let cancel = clock.after(beatMs, again)
    function again() {
      say()
      cancel = clock.after(beatMs, again)
    }
    return () => cancel()
  }

  const forever = new AbortController().signal

  return {
    receive(letter: Extract<Letter, { kind: 'ask' | 'tell' }>): void {
      if (letter.kind === 'ask') return void answer(letter)
      void run(letter.message, { from: letter.from, signal: forever, tellPart: () => {} })
    },
    stop: ({ from, ask }: { from: string; ask: number }) => underWay.get(`${from} ${ask}`)?.abort(),
    /** Asked by this process itself. */
    here: (message: PeerMessage, { onPart = () => {}, signal = forever }: AskOptions) =>
      run(message, { from: name, signal, tellPart: onPart }),
    close() {
      for (const stopping of underWay.values()) stopping.abort()
    },
  }
}
