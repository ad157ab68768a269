import { AppError, isAppError } from '@dataagent/schema'
import type {
  AgentState,
  HookResult,
  ModelCall,
  ModelReply,
  RunHooks,
} from '../middleware/index.ts'
import { estimateMessages, type ModelMessage } from '../models/index.ts'
import { account } from './account.ts'
import { askInSpan } from './ask-in-span.ts'
import { callsOf, findOpen, toAssistantMessage, withoutOpenCalls } from './assistant-message.ts'
import { nothingToRun, tooLateToJump } from './jump-error.ts'
import type { Step } from './loop.ts'
import type { Run } from './run.ts'
import { toSummaryEvent } from './summary-event.ts'
import { toThought } from './thought.ts'

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
  /** The model's last words, where it calls no tool. */
  let answer: ModelMessage | undefined
  /** Where a hook wants the model asked at once: after a reply, what it made of the messages. */
  let jump: 'at_once' | { messages: readonly ModelMessage[] | undefined } | undefined

  function messages(): readonly ModelMessage[] {
    if (replaced === undefined) return conversation.messages
    return [...replaced.messages, ...conversation.messages.slice(replaced.from)]
  }

  /** A summary lasts; other messages hold until the run ends. */
  async function take({ summary }: HookResult, before: readonly ModelMessage[]): Promise<void> {
    if (summary && replaced === undefined) {
      await log.write(toSummaryEvent(run, summary))
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

  /**
   * Hooks see the reply as the last message; they may change its text and its calls, or answer
   * some. What readers have of a reply that a hook changes or refuses is void.
   */
  async function runAfterModel(reply: ModelReply): Promise<Step | undefined> {
    const given = [...messages(), toAssistantMessage(reply)]
    const result = await runHooks(composed.afterModel, given)
    state = result.state
    const { messages: left } = result.state
    const said = left[given.length - 1]
    if (said?.role === 'assistant') sayInstead(said.content, reply.content)
    await endReply(reply, said?.content)
    if (result.jumpTo === 'end') {
      say(left.slice(given.length))
      return undefined
    }
    const calls = left === given ? reply.calls : callsOf(left, reply.calls)
    if (result.jumpTo !== 'model') return { calls, asksAgain: false }
    jump = { messages: left === given ? undefined : withoutOpenCalls(left) }
    return { calls: calls.filter(({ answer }) => answer !== undefined), asksAgain: true }
  }

  async function runHooks(hooks: RunHooks, given: readonly ModelMessage[]): Promise<HookResult> {
    try {
      return await hooks({ ...state, messages: given }, runtime)
    } catch (error) {
      log.restartText()
      log.endText()
      throw error
    }
  }

  /** Readers are told another text than the one that they have. */
  function sayInstead(content: string, told: string | undefined): void {
    if (content === told) return
    log.restartText()
    log.text(content)
  }

  async function endReply(reply: ModelReply, content = reply.content): Promise<void> {
    answer = reply.calls.length === 0 ? { role: 'assistant', content, tool_calls: [] } : undefined
    log.endText()
    const thoughts = reply.reasoning.map((thought) => toThought(run, thought))
    if (thoughts.length > 0) log.note(...thoughts)
    await run.means.probe?.('model_replied')
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
    let told: string | undefined
    const reply = await composed.modelCall(call, async (asked) => {
      if (attempts++ > 0) log.restartText()
      told = undefined
      const given = await askInSpan(run, asked)
      told = given.content
      return given
    })
    sayInstead(reply.content, told)
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
      if (agent.hasAfterModel) return runAfterModel(reply)
      await endReply(reply)
      return { calls: reply.calls, asksAgain: false }
    },
    async afterAgent() {
      // The log makes a message of the answer when the run is done.
      const given = answer === undefined ? messages() : [...messages(), answer]
      const result = await composed.afterAgent({ ...state, messages: given }, runtime)
      state = result.state
      if (result.jumpTo !== undefined && result.jumpTo !== 'end') throw tooLateToJump()
      if (result.jumpTo === 'end') say(state.messages.slice(given.length))
      else await take(result, given)
    },
  }
}

/** Where a hook wants to go on: at the model at once, or with calls of its own. */
type Jump = 'end' | 'go_on' | 'model' | Step
