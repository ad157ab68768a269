import { type Clock, systemClock } from '@dataagent/guard'
import { estimateMessages, estimateTokens, type ModelUsage } from '../../models/index.ts'
import type {
  AgentMiddleware,
  AgentState,
  ModelCall,
  ModelReply,
  Runtime,
  ToolReply,
} from '../contract.ts'
import { type LimitName, toLimitText } from './limit-text.ts'

/** What one run may use, its sub-agents included. What is not set has no limit. */
export interface LimitsOptions {
  maxModelCalls?: number | undefined
  maxToolCalls?: number | undefined
  /** Of prompts and answers together. */
  maxTokens?: number | undefined
  maxCost?: number | undefined
  /** What a call cost; without it `maxCost` does nothing. */
  costOf?: ((usage: ModelUsage) => number) | undefined
  /** Looked at between calls: a call that is under way is not cut off. */
  maxMs?: number | undefined
  clock?: Clock | undefined
}

interface Used {
  modelCalls: number
  toolCalls: number
  tokens: number
  cost: number
  startedAt: number
}

/**
 * Ends a run that uses more than it may: before the next call of the model the assistant says which
 * limit was reached, in the user's language, and the run ends as one that is done. Calls of tools
 * above their number are answered in the tools' place.
 */
export function createLimits(options: LimitsOptions): AgentMiddleware {
  const { clock = systemClock, costOf } = options
  const runs = new WeakMap<Runtime, Used>()

  function usedBy(runtime: Runtime): Used {
    if (runtime.caller) return usedBy(runtime.caller)
    const known = runs.get(runtime)
    if (known) return known
    const used = { modelCalls: 0, toolCalls: 0, tokens: 0, cost: 0, startedAt: clock.monotonic() }
    runs.set(runtime, used)
    return used
  }

  function reached(used: Used): LimitName | undefined {
    const spent: [LimitName, number, number | undefined][] = [
      ['model_calls', used.modelCalls, options.maxModelCalls],
      ['tool_calls', used.toolCalls, options.maxToolCalls],
      ['tokens', used.tokens, options.maxTokens],
      ['cost', used.cost, options.maxCost],
      ['time', clock.monotonic() - used.startedAt, options.maxMs],
    ]
    return spent.find(([, value, limit]) => limit !== undefined && value >= limit)?.[0]
  }

  return {
    name: 'limits',
    beforeAgent: (_, runtime) => void usedBy(runtime),
    beforeModel(state, runtime) {
      const limit = reached(usedBy(runtime))
      return limit && endWith(state, limit)
    },
    async wrapModelCall(request, handler) {
      const used = usedBy(request.runtime)
      used.modelCalls += 1
      const reply = await handler(request)
      const usage = reply.usage ?? estimateUsage(request, reply)
      used.tokens += usage.prompt_tokens + usage.completion_tokens
      used.cost += costOf?.(usage) ?? 0
      return reply
    },
    async wrapToolCall(request, handler) {
      const used = usedBy(request.runtime)
      if (used.toolCalls >= (options.maxToolCalls ?? Infinity)) return tooMany
      used.toolCalls += 1
      return handler(request)
    },
  }
}

/** For a model that does not tell. */
function estimateUsage({ systemPrompt, messages }: ModelCall, { content }: ModelReply): ModelUsage {
  return {
    prompt_tokens: estimateTokens(systemPrompt) + estimateMessages(messages),
    completion_tokens: estimateTokens(content),
  }
}

const tooMany: ToolReply = {
  content: 'Not run: this run has reached its limit of tool calls.',
  status: 'error',
  outcome: 'limited',
  result: 'Not run: this run has reached its limit of tool calls.',
}

function endWith({ messages }: AgentState, limit: LimitName) {
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const content = toLimitText(limit, asked)
  const reply = { role: 'assistant' as const, content, tool_calls: [] }
  return { messages: [...messages, reply], jumpTo: 'end' as const }
}
