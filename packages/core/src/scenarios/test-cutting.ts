import type { AgentMiddleware } from '../middleware/index.ts'

/** A middleware that puts a summary in the place of earlier messages when it is told to. */
export interface Cutting {
  middleware: AgentMiddleware
  /** At each of the next calls of the model: which part of the messages; 0 for none. */
  readonly cuts: number[]
}

export function createCutting(): Cutting {
  const cuts: number[] = []
  let number = 0
  return {
    cuts,
    middleware: {
      name: 'cutting',
      beforeModel({ messages }) {
        let count = Math.floor((cuts.shift() ?? 0) * messages.length)
        // What is kept begins with no result whose call is cut off.
        while (messages[count]?.role === 'tool') count -= 1
        if (count < 1) return undefined
        number += 1
        const content = `Summary ${number} of ${count} messages`
        const kept = [{ role: 'user', content } as const, ...messages.slice(count)]
        return { messages: kept, summary: { content, count } }
      },
    },
  }
}
