import { AppError, type ExecutionEvent, isAppError } from '@dataagent/schema'
import type {
  AgentState,
  HookResult,
  ModelCall,
  ModelReply,
  RunHooks,
} from '../middleware/index.ts'
import { estimateMessages, estimateTokens, type ModelMessage } from '../models/index.ts'
import { callsOf, findOpen, toAssistantMessage, withoutOpenCalls } from './assistant-message.ts'
import { nothingToRun, tooLateToJump } from './jump-error.ts'
import type { Step } from './loop.ts'
import type { Run } from './run.ts'
import { streamReply } from './stream-reply.ts'

/** The state of a run between its steps, and where a hook wants to go on. */
export interface Turns {
  readonly state: AgentState
  /** Asks the model once, hooks and all. Undefined where a hook ends the run. */
  askModel(): Promise<Step | undefined>
  /** The same for what goes before. */
  beforeAgent(): Promise<Step | undefined>
  afterAgent(): Promise<void>
}

export function createTurns(run: Run, systemPrompt: string): Turns {
  const { agent, conversation, runtime, log } = run
  const { composed } = agent
  /** Messages that a hook put in place of the first `from` of the conversation. */
  let replaced: { messages: readonly ModelMessage[]; from: number } | undefined
  let state: AgentState = { ...composed.initialState(), messages: conversation.messages }
  /** Where a hook wants the model asked at once: after a reply, what it made of the messages. */
  let jump: 'at_once' | { messages: readonly ModelMessage[] | undefined } | undefined

  function messages(): readonly ModelMessage[] {
    if (replaced === undefined) return conversation.messages
    return [...replaced.messages, ...conversation.messages.slice(replaced.from)]
  }

  /** A summary lasts; other messages hold until the run ends. */
  async function take({ summary }: HookResult, before: readonly ModelMessage[]): Promise<void> {
    if (summary && replaced === undefined) {
      const through_seq = conversation.seqThrough(summary.count)
      await log.write(toSummary(run, summary.content, through_seq))
    } else if (state.messages !== before) {
      replaced = { messages: state.messages, from: conversation.messages.length }
    }
  }

  async function runHook(hook: RunHooks): Promise<Jump> {
    const before = messages()
    if (state.messages !== before) state = { ...state, messages: before }
    const result = await hook(state, runtime)
    state = result.state
    if (result.jumpTo === 'end') {
      say(state.messages.slice(before.length))
      return 'end'
    }
    if (result.jumpTo === 'tools') return takeCalls(result, before)
    await take(result, before)
    return result.jumpTo ?? 'go_on'
  }

  /** A hook calls tools in place of the model: it is logged as if the model had. */
  async function takeCalls(result: HookResult, before: readonly ModelMessage[]): Promise<Step> {
    const { messages: given } = state
    const said = findOpen(given)
    if (said === undefined) throw nothingToRun()
    const rest = given.slice(0, given.indexOf(said))
    const isKept = rest.length === before.length && rest.every((one, i) => one === before[i])
    state = { ...state, messages: isKept ? before : rest }
    await take(result, before)
    say([said])
    return { calls: callsOf(given), asksAgain: true }
  }

  /** What a hook lets the assistant say in place of the model. */
  function say(added: readonly ModelMessage[]): void {
    const last = added.at(-1)
    if (last?.role !== 'assistant') return
    log.text(last.content)
    log.endText()
  }

  /** Hooks see the reply as the last message; they may change its calls, or answer some. */
  async function runAfterModel(reply: ModelReply): Promise<Step | undefined> {
    if (!agent.hasAfterModel) return { calls: reply.calls, asksAgain: false }
    const given = [...messages(), toAssistantMessage(reply)]
    const result = await composed.afterModel({ ...state, messages: given }, runtime)
    state = result.state
    const { messages: left } = result.state
    if (result.jumpTo === 'end') {
      say(left.slice(given.length))
      return undefined
    }
    const calls = left === given ? reply.calls : callsOf(left, reply.calls)
    if (result.jumpTo !== 'model') return { calls, asksAgain: false }
    jump = { messages: left === given ? undefined : withoutOpenCalls(left) }
    return { calls: calls.filter(({ answer }) => answer !== undefined), asksAgain: true }
  }

  /** A hook that asks for the model at once has the last word: no other runs before it. */
  async function runBeforeModel(): Promise<Jump> {
    if (jump === undefined) return runHook(composed.beforeModel)
    if (jump !== 'at_once') {
      // The reply is over: what the model says next is another.
      const timestamp = run.means.clock.now()
      await log.write({ event_type: 'text', timestamp, content: '', is_final: true })
      if (jump.messages) replaced = { messages: jump.messages, from: conversation.messages.length }
    }
    jump = undefined
    state = { ...state, messages: messages() }
    return 'model'
  }

  /** Hooks may shorten what the model has refused as too long; then it is asked once more. */
  async function shortenAndAskAgain(error: unknown): Promise<ModelReply | Step | undefined> {
    if (!isAppError(error, 'too_large')) throw error
    const before = estimateMessages(messages())
    state = { ...state, overflowed: true }
    const next = await runHook(composed.beforeModel)
    if (next === 'end') return undefined
    state = { ...state, overflowed: false }
    if (typeof next === 'object') return next
    if (estimateMessages(messages()) >= before) throw error
    return callModel()
  }

  async function callModel(): Promise<ModelReply> {
    const prompt = run.view.prompt()
    const system = prompt.text === '' ? systemPrompt : `${systemPrompt}\n\n${prompt.text}`
    const call: ModelCall = {
      ...{ model: agent.model, systemPrompt: system, messages: messages(), tools: prompt.tools },
      ...{ state, runtime },
    }
    let attempts = 0
    const reply = await composed.modelCall(call, (asked) => {
      if (attempts++ > 0) log.restartText()
      return askInSpan(run, asked)
    })
    account(run, reply, call, prompt.alwaysTokens - prompt.tokens)
    return reply
  }

  return {
    get state() {
      return state
    },
    async beforeAgent() {
      const next = await runHook(composed.beforeAgent)
      if (next === 'end') return undefined
      if (next === 'model') jump = 'at_once'
      return typeof next === 'object' ? next : { calls: [], asksAgain: true }
    },
    async askModel() {
      const next = await runBeforeModel()
      if (next === 'end') return undefined
      if (typeof next === 'object') return next
      const reply = await callModel().catch(shortenAndAskAgain)
      if (reply === undefined || 'asksAgain' in reply) return reply
      if (run.signal.aborted) throw new AppError('cancelled', 'The run was cancelled.')
      log.endText()
      const thoughts = reply.reasoning.map((thought) => toThought(run, thought))
      if (thoughts.length > 0) log.note(...thoughts)
      await run.means.probe?.('model_replied')
      return runAfterModel(reply)
    },
    async afterAgent() {
      const next = await runHook(composed.afterAgent)
      if (next === 'model' || typeof next === 'object') throw tooLateToJump()
    },
  }
}

/** Where a hook wants to go on: at the model at once, or with calls of its own. */
type Jump = 'end' | 'go_on' | 'model' | Step

async function askInSpan(run: Run, call: ModelCall): Promise<ModelReply> {
  const { means, span: parent, log, signal } = run
  const span = means.tracer.start(`chat ${call.model.name}`, {
    kind: 'client',
    parent: parent.context,
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': call.model.name },
  })
  try {
    const reply = await streamReply(call, log, signal)
    span.set({
      'gen_ai.usage.input_tokens': reply.usage?.prompt_tokens,
      'gen_ai.usage.output_tokens': reply.usage?.completion_tokens,
      'gen_ai.response.finish_reasons': [reply.finish],
    })
    span.end()
    return reply
  } catch (error) {
    const type = error instanceof AppError ? error.code : 'internal'
    span.end({ error: { type, message: 'the model did not answer' } })
    throw error
  }
}

/** What the provider counted; where it does not tell, what we estimate. */
function account({ usage }: Run, reply: ModelReply, call: ModelCall, alwaysMore: number): void {
  const prompt =
    toCount(reply.usage?.prompt_tokens) ??
    estimateTokens(call.systemPrompt) + estimateMessages(call.messages) + estimateTools(call)
  usage.model = reply.model ?? call.model.name
  usage.prompt_tokens += prompt
  usage.completion_tokens +=
    toCount(reply.usage?.completion_tokens) ?? estimateTokens(reply.content)
  usage.cached_tokens += toCount(reply.usage?.cached_tokens) ?? 0
  usage.always_prompt_tokens += Math.max(0, prompt + alwaysMore)
}

/** What a provider counts may be no count. */
function toCount(tokens: number | undefined): number | undefined {
  return Number.isSafeInteger(tokens) && Number(tokens) >= 0 ? tokens : undefined
}

function estimateTools({ tools }: ModelCall): number {
  return tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools))
}

function toThought({ means }: Run, thought: ModelReply['reasoning'][number]): ExecutionEvent {
  const { text, signature, redacted } = thought
  return {
    event_type: 'reasoning',
    timestamp: means.clock.now(),
    content: text,
    ...(signature !== undefined && { signature }),
    ...(redacted !== undefined && { redacted }),
  }
}

function toSummary(run: Run, content: string, through_seq: number): ExecutionEvent {
  const { messageIds: message_ids } = run.conversation
  const untrusted = [...run.conversation.untrusted]
  return {
    event_type: 'summary',
    timestamp: run.means.clock.now(),
    content,
    through_seq,
    ...(message_ids.length > 0 && { message_ids: [...message_ids] }),
    ...(untrusted.length > 0 && { untrusted }),
  }
}
