import { randomUUID } from 'node:crypto'
import { systemClock } from '@dataagent/guard'
import type { ToolRegistry } from '@dataagent/mcp'
import { AppError } from '@dataagent/schema'
import {
  type AgentMiddleware,
  type AgentState,
  type ComposedMiddleware,
  composeMiddleware,
  type RequestedCall,
  type RunHooks,
  type Runtime,
  type StateUpdate,
  type ToolReply,
} from '../middleware/index.ts'
import type { ModelMessage, ModelPort, ModelUsage, ToolMessage } from '../models/index.ts'
import { callsOf, findOpen, toAssistantMessage, withoutOpenCalls } from './assistant-message.ts'
import { toModelText } from './conversation.ts'
import { endingWith } from './ending-with.ts'
import { nothingToRun, tooLateToJump } from './jump-error.ts'
import { keepAlive } from './keep-alive.ts'
import { loop, type Step } from './loop.ts'
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
    const begun = await turns.begin()
    if (begun === undefined) return turns.toResult('answered')
    const { askModel, runCalls } = turns
    const end = await loop({ maxTurns, first: begun.calls, askModel, runCalls })
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
  /** A hook wants the model asked at once: no other runs before it. */
  let isModelNext = false
  let state: AgentState = { ...composed.initialState(), messages: run.messages }

  /** What a hook gives is what the conversation is from here on. */
  async function runHook(hook: RunHooks): Promise<StateUpdate['jumpTo']> {
    const before = state.messages.length
    const result = await hook(state, runtime)
    state = result.state
    if (result.jumpTo !== 'end') return result.jumpTo
    const said = state.messages.slice(before).findLast(({ role }) => role === 'assistant')
    if (said) text = said.content
    return 'end'
  }

  function add(...messages: readonly ModelMessage[]): void {
    state = { ...state, messages: [...state.messages, ...messages] }
  }

  /** The calls that a hook made in place of the model. */
  function takeCalls(): Step {
    if (findOpen(state.messages) === undefined) throw nothingToRun()
    return { calls: callsOf(state.messages), asksAgain: true }
  }

  async function begin(): Promise<Step | undefined> {
    const extra = await composed.systemPrompt(runtime)
    if (extra !== '') systemPrompt = `${systemPrompt}\n\n${extra}`
    const next = await runHook(composed.beforeAgent)
    if (next === 'end') return undefined
    isModelNext = next === 'model'
    return next === 'tools' ? takeCalls() : { calls: [], asksAgain: true }
  }

  async function askModel(): Promise<Step | undefined> {
    if (signal.aborted) throw new AppError('cancelled', 'The run was cancelled.')
    turns += 1
    const next = isModelNext ? 'model' : await runHook(composed.beforeModel)
    isModelNext = false
    if (next === 'end') return undefined
    if (next === 'tools') return takeCalls()
    const tools = registry.toJsonSchemas()
    const call = { model, systemPrompt, messages: state.messages, tools, state, runtime }
    const sink = { text: onText, restartText() {} }
    const reply = await composed.modelCall(call, (asked) => streamReply(asked, sink, signal))
    usage.prompt_tokens += reply.usage?.prompt_tokens ?? 0
    usage.completion_tokens += reply.usage?.completion_tokens ?? 0
    text = reply.content
    add(toAssistantMessage(reply))
    const given = state.messages
    const then = await runHook(composed.afterModel)
    if (then === 'end') return undefined
    const said = state.messages[given.length - 1]
    if (said?.role === 'assistant') text = said.content
    isModelNext = then === 'model'
    if (isModelNext) state = { ...state, messages: withoutOpenCalls(state.messages) }
    const calls = state.messages === given ? reply.calls : callsOf(state.messages, reply.calls)
    return { calls, asksAgain: isModelNext }
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
    async finish() {
      const next = await runHook(composed.afterAgent)
      if (next === 'model' || next === 'tools') throw tooLateToJump()
    },
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
