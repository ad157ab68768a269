import type { AgentMiddleware } from '@dataagent/core'

/**
 * Ends a run with what a tool has given, in the tool's own words: LangChain's `returnDirect`. As
 * there, the last call of a reply counts, and one that failed does not.
 */
export function createReturnDirect(names: Iterable<string>): AgentMiddleware {
  const direct = new Set(names)
  return {
    name: 'ReturnDirect',
    beforeModel({ messages }) {
      const last = messages.at(-1)
      if (last?.role !== 'tool' || last.is_error || !direct.has(last.name)) return undefined
      const said = { role: 'assistant', content: last.content, tool_calls: [] } as const
      return { messages: [...messages, said], jumpTo: 'end' }
    },
  }
}
