import { randomUUID } from 'node:crypto'
import { systemClock } from '@dataagent/guard'
import type { ToolRegistry } from '@dataagent/mcp'
import { AppError } from '@dataagent/schema'
import {
  type AgentMiddleware,
  type AgentState,
  type ComposedMiddleware,
  composeMiddleware,
  type ModelReply,
  type RequestedCall,
  type RunHooks,
  type Runtime,
  type ToolReply,
} from '../middleware/index.ts'
import type { ModelMessage, ModelPort, ModelUsage, ToolMessage } from '../models/index.ts'
import { toAssistantMessage, withCallsOf } from './assistant-message.ts'
import { toModelText } from './conversation.ts'
import { endingWith } from './ending-with.ts'
import { keepAlive } from './keep-alive.ts'
import { loop } from './loop.ts'
import { streamReply } from './stream-reply.ts'

export interface AgentLoopOptions {
  model: ModelPort
  /** Local and MCP tools, mixed, as it is when a turn begins. The loop injects none. */
  registry: ToolRegistry
  systemPrompt: string
  /** Calls of the model in one run; default 10. */
  maxTurns?: number | undefined
  /** Middlewares without tools: those of the registry are the tools. */
  hooks?: readonly Omit<AgentMiddleware, 'tools'>[] | undefined
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
    using _alive = keepAlive()
    const maxTurns = this.#options.maxTurns ?? 10
    if ((await turns.begin()) === 'end') return turns.toResult('answered')
    const end = await loop({ maxTurns, askModel: turns.askModel, runCalls: turns.runCalls })
    await turns.finish()
    return turns.toResult(end === 'too_many_turns' ? 'max_turns' : 'answered')
  }
}

/** A tool that does not hear the signal is left to itself. */
const patience = { clock: systemClock, graceMs: 100 }

interface PlainRun {
  messages: readonly ModelMessage[]
  extraContext: Readonly<Record<string, unknown>>
  signal: AbortSignal
}

function createPlainTurns(options: AgentLoopOptions, composed: ComposedMiddleware, run: PlainRun) {
  const { model, registry, onText = () => {} } = options
  const { signal, extraContext } = run
  const runtime = toRuntime(run)
  const usage: ModelUsage = { prompt_tokens: 0, completion_tokens: 0 }
  let systemPrompt = options.systemPrompt
  let turns = 0
  let text = ''
  let state: AgentState = { ...composed.initialState(), messages: run.messages }

  /** What a hook gives is what the conversation is from here on. */
  async function runHook(hook: RunHooks): Promise<'end' | 'go_on'> {
    const before = state.messages.length
    const result = await hook(state, runtime)
    state = result.state
    if (result.jumpTo !== 'end') return 'go_on'
    const said = state.messages.slice(before).findLast(({ role }) => role === 'assistant')
    if (said) text = said.content
    return 'end'
  }

  function add(...messages: readonly ModelMessage[]): void {
    state = { ...state, messages: [...state.messages, ...messages] }
  }

  async function begin(): Promise<'end' | 'go_on'> {
    const extra = await composed.systemPrompt(runtime)
    if (extra !== '') systemPrompt = `${systemPrompt}\n\n${extra}`
    return runHook(composed.beforeAgent)
  }

  async function askModel(): Promise<ModelReply | undefined> {
    if (signal.aborted) throw new AppError('cancelled', 'The run was cancelled.')
    turns += 1
    if ((await runHook(composed.beforeModel)) === 'end') return undefined
    const tools = registry.toJsonSchemas()
    const call = { model, systemPrompt, messages: state.messages, tools, state, runtime }
    const sink = { text: onText, restartText() {} }
    const reply = await composed.modelCall(call, (asked) => streamReply(asked, sink, signal))
    usage.prompt_tokens += reply.usage?.prompt_tokens ?? 0
    usage.completion_tokens += reply.usage?.completion_tokens ?? 0
    text = reply.content
    add(toAssistantMessage(reply))
    const given = state.messages
    if ((await runHook(composed.afterModel)) === 'end') return undefined
    return state.messages === given ? reply : withCallsOf(reply, state.messages)
  }

  async function runCalls(calls: readonly RequestedCall[]): Promise<'go_on'> {
    const open = calls.filter(({ answer }) => answer === undefined)
    const replies = await endingWith(signal, patience, Promise.all(open.map(runCall)))
    add(
      ...open.map(({ id, name }, i): ToolMessage => {
        const { content, status } = replies[i]!
        return { role: 'tool', tool_call_id: id, name, content, is_error: status === 'error' }
      }),
    )
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
    begin,
    askModel,
    runCalls,
    finish: () => runHook(composed.afterAgent),
    toResult: (stopped: LoopResult['stopped']): LoopResult => ({
      ...{ text, messages: state.messages, stopped, turns, usage },
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
    addUsage() {},
  }
}
