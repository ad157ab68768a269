import type { ModelMessage } from './contract.ts'

/** So many messages are kept as one piece. */
const blockSize = 32

/** Messages as the wire has them, and the state with which what follows goes on. */
export interface Rendered<S> {
  text: string
  state: S
}

export interface HistoryBytesOptions<S> {
  /** Renders `messages` behind those that left `state`. */
  render(messages: readonly ModelMessage[], state: S): Rendered<S>
}

/** The beginning of a history, rendered; `next` is the index of the first message behind it. */
export interface KeptHistory<S> {
  parts: Buffer[]
  state: S
  next: number
}

interface Block<S> {
  messages: readonly ModelMessage[]
  bytes: Buffer
  before: S
  after: S
}

/**
 * Keeps the bytes of histories, block by block, as long as a block's first message lives. A history
 * is sent again with every request and only grows at its end: what was rendered is copied.
 */
export function createHistoryBytes<S>({ render }: HistoryBytesOptions<S>) {
  const kept = new WeakMap<ModelMessage, Block<S>>()

  /** Renders whole blocks of `messages`, at most up to the index `until`. */
  return (messages: readonly ModelMessage[], until: number, start: S): KeptHistory<S> => {
    const parts: Buffer[] = []
    let state = start
    let next = 0
    for (; next + blockSize <= until; next += blockSize) {
      const block = find(messages, next, state)
      parts.push(block.bytes)
      state = block.after
    }
    return { parts, state, next }
  }

  function find(messages: readonly ModelMessage[], from: number, before: S): Block<S> {
    const first = messages[from] as ModelMessage
    const found = kept.get(first)
    if (found !== undefined && found.before === before && isSame(found, messages, from))
      return found
    const own = messages.slice(from, from + blockSize)
    const { text, state } = render(own, before)
    const block = { messages: own, bytes: Buffer.from(text), before, after: state }
    kept.set(first, block)
    return block
  }
}

function isSame(block: Block<unknown>, messages: readonly ModelMessage[], from: number): boolean {
  for (let i = 0; i < blockSize; i += 1) {
    if (block.messages[i] !== messages[from + i]) return false
  }
  return true
}
