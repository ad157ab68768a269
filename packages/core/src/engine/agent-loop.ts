import { randomUUID } from 'node:crypto'
import type { ToolRegistry } from '@dataagent/mcp'
import { AppError } from '@dataagent/schema'
import {
  type AgentMiddleware,
  type AgentState,
  type ComposedMiddleware,
  composeMiddleware,
  type ModelReply,
  type RequestedCall,
  type Runtime,
  type ToolReply,
} from '../middleware/index.ts'
import type { ModelMessage, ModelPort, ModelUsage } from '../models/index.ts'
import { toAssistantMessage } from './assistant-message.ts'
import { toModelText } from './conversation.ts'
import { loop } from './loop.ts'
import { streamReply } from './stream-reply.ts'

export interface AgentLoopOptions {
  model: ModelPort
  /** Local and MCP tools, mixed, as it is when a turn begins. The loop injects none. */
  registry: ToolRegistry
  systemPrompt: string
  /** Calls of the model in one run; default 10. */
  maxTurns?: number | undefined
  hooks?: readonly AgentMiddleware[] | undefined
  /** Told the answer as it comes. */
  onText?: ((text: string) => void) | undefined
}

export interface LoopResult {
  /** The last words of the model. */
  text: string
  /** Everything that was said, for the next run's `history`. */
  messages: readonly ModelMessage[]
  /** `max_turns`: the model still wanted to call tools, and was stopped. */
  stopped: 'answered' | 'max_turns'
  turns: number
  usage: ModelUsage
}

/**
 * The small face of the engine: a model, a registry of tools, no session, no policy. Throws what
 * the model throws, and `cancelled`; a tool that fails is told to the model.
 */
export class AgentLoop {
  readonly #options: AgentLoopOptions
  readonly #composed: ComposedMiddleware

  constructor(options: AgentLoopOptions) {
    this.#options = options
    this.#composed = composeMiddleware(options.hooks ?? [])
  }

  /** Runs until the model answers. `extraContext` is given to tools and hooks. */
  async run(
    input: string,
    history: readonly ModelMessage[] = [],
    extraContext: Readonly<Record<string, unknown>> = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<LoopResult> {
    const turns = createPlainTurns(this.#options, this.#composed, {
      messages: [...history, { role: 'user', content: input }],
      extraContext,
      signal,
    })
    const maxTurns = this.#options.maxTurns ?? 10
    const end = await loop({ maxTurns, askModel: turns.askModel, runCalls: turns.runCalls })
    return turns.toResult(end === 'too_many_turns' ? 'max_turns' : 'answered')
  }
}

interface PlainRun {
  messages: ModelMessage[]
  extraContext: Readonly<Record<string, unknown>>
  signal: AbortSignal
}

function createPlainTurns(options: AgentLoopOptions, composed: ComposedMiddleware, run: PlainRun) {
  const { model, registry, systemPrompt, onText = () => {} } = options
  const { messages, signal, extraContext } = run
  const runtime = toRuntime(run)
  const usage: ModelUsage = { prompt_tokens: 0, completion_tokens: 0 }
  let turns = 0
  let text = ''
  let state: AgentState = { ...composed.initialState(), messages }

  async function askModel(): Promise<ModelReply | undefined> {
    if (signal.aborted) throw new AppError('cancelled', 'The run was cancelled.')
    turns += 1
    const before = await composed.beforeModel({ ...state, messages }, runtime)
    state = before.state
    if (before.jumpTo === 'end') return undefined
    const tools = registry.toJsonSchemas()
    const call = { model, systemPrompt, messages: state.messages, tools, state, runtime }
    const sink = { text: onText, restartText() {} }
    const reply = await composed.modelCall(call, (asked) => streamReply(asked, sink, signal))
    usage.prompt_tokens += reply.usage?.prompt_tokens ?? 0
    usage.completion_tokens += reply.usage?.completion_tokens ?? 0
    text = reply.content
    messages.push(toAssistantMessage(reply))
    const after = await composed.afterModel({ ...state, messages }, runtime)
    state = after.state
    return after.jumpTo === 'end' ? undefined : reply
  }

  async function runCalls(calls: readonly RequestedCall[]): Promise<'go_on'> {
    const replies = await Promise.all(calls.map(runCall))
    for (const [i, { id, name }] of calls.entries()) {
      const { content, status } = replies[i]!
      messages.push({ role: 'tool', tool_call_id: id, name, content, is_error: status === 'error' })
    }
    return 'go_on'
  }

  async function runCall({ id, name, args, raw }: RequestedCall): Promise<ToolReply> {
    if (args === undefined) return toFailed(`Error: the arguments are no JSON object: ${raw}`)
    const request = { call: { id, name, args: { ...args } }, entry: undefined, state, runtime }
    return composed.toolCall(request, async ({ call }) => {
      try {
        const context = { callId: call.id, extra: { ...extraContext }, signal }
        const result = await registry.execute(call.name, call.args, context)
        const content = toModelText(result ?? '')
        return { content, status: 'success', outcome: 'ok', result }
      } catch (error) {
        if (signal.aborted) throw new AppError('cancelled', 'The run was cancelled.')
        return toFailed(`Error: ${error instanceof Error ? error.message : String(error)}`)
      }
    })
  }

  return {
    askModel,
    runCalls,
    toResult: (stopped: LoopResult['stopped']): LoopResult => ({
      ...{ text, messages, stopped, turns, usage },
    }),
  }
}

function toFailed(content: string): ToolReply {
  return { content, status: 'error', outcome: 'failed', result: content }
}

/** Hooks see a run of nobody in particular. */
function toRuntime({ extraContext, signal }: PlainRun): Runtime {
  return {
    ...{ session_id: '', run_id: randomUUID(), assistant_id: '', signal, context: extraContext },
    principal: { tenant_id: 'default', user_id: null, role: 'user' },
    emit() {},
  }
}
