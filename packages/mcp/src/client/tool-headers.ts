import { findParamHeaders, type ParamHeader } from '../protocol/param-headers.ts'
import { quote } from '../protocol/words.ts'
import type { ToolDefinition } from './contract.ts'

/** What the last list of tools said about the headers of calls. */
export interface ToolHeaders {
  of(tool: string): readonly ParamHeader[] | undefined
  /** Learns from a whole list; gives it without the tools that break the rules. */
  learn(tools: ToolDefinition[]): ToolDefinition[]
}

/**
 * Over Streamable HTTP a tool whose `x-mcp-header` breaks the rules is left out (2026-07-28,
 * basic/transports/streamable-http, "Schema Extension").
 */
export function createToolHeaders(onWarning: (text: string) => void): ToolHeaders {
  let known = new Map<string, readonly ParamHeader[]>()

  return {
    of: (tool) => known.get(tool),
    learn(tools) {
      const learnt = new Map<string, readonly ParamHeader[]>()
      const usable = tools.filter(({ name, inputSchema }) => {
        const found = findParamHeaders(inputSchema)
        if (found.status === 'invalid') {
          onWarning(`the tool ${quote(name)} was left out: ${found.reason}`)
          return false
        }
        if (found.headers.length > 0) learnt.set(name, found.headers)
        return true
      })
      known = learnt
      return usable
    },
  }
}
