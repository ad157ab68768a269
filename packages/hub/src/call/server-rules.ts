import { createToolFilter } from '@dataagent/mcp'
import type { ServerConfig } from '@dataagent/schema'

/** What a server's settings say of its tools, made ready once. */
export interface ServerRules {
  timeoutMs(tool: string): number
  isIdempotent(tool: string): boolean
}

const known = new WeakMap<ServerConfig, ServerRules>()

/** The rules of one configuration. */
export function rulesOf(config: ServerConfig): ServerRules {
  const rules = known.get(config) ?? createRules(config)
  known.set(config, rules)
  return rules
}

function createRules({ toolTimeouts, idempotentTools, timeout }: ServerConfig): ServerRules {
  const limits = Object.entries(toolTimeouts).map(([pattern, seconds]) => ({
    fits: createToolFilter({ allowedTools: [pattern] }),
    ms: seconds * 1000,
  }))
  const isListed = createToolFilter({ allowedTools: idempotentTools })
  return {
    timeoutMs: (tool) => limits.find(({ fits }) => fits(tool))?.ms ?? timeout * 1000,
    isIdempotent: (tool) => idempotentTools.length > 0 && isListed(tool),
  }
}
