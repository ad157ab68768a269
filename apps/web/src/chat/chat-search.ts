export interface ChatSearch {
  /** What is filled in where messages are written. */
  ask?: string
}

const askMax = 2_000

export function toChatSearch({ ask }: Record<string, unknown>): ChatSearch {
  return typeof ask === 'string' && ask.trim() !== '' ? { ask: ask.slice(0, askMax) } : {}
}
