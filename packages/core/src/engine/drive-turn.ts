import type { OwnTool, OwnToolContext } from '@dataagent/hub'
import { AppError, type ExecutionEvent, isAppError } from '@dataagent/schema'
import type { BuildToolPrompt, IntentRecogniser } from '../intent/index.ts'
import type { RequestedCall, ToolReply } from '../middleware/index.ts'
import { account } from './account.ts'
import { inModelSpan } from './ask-in-span.ts'
import type { Conversation } from './conversation.ts'
import type { ConverseEnd } from './converse.ts'
import type { DrivenTurn, SubTurn, TurnDriver } from './driver.ts'
import { toLostCalls } from './repair-run.ts'
import type { Run } from './run.ts'
import { resumedBy, runCall, toCallEvent, toLostResult, toReadable } from './run-calls.ts'
import type { ReplySink } from './stream-reply.ts'
import { createSubRun } from './sub-agent.ts'
import { toThought } from './thought.ts'

interface DriveMeans {
  isLeft: boolean
  recogniser: IntentRecogniser
  build: BuildToolPrompt
}

/** Lets a driver work on the turn. What it rejects with ends the run. */
export async function driveTurn(
  run: Run,
  driver: TurnDriver,
  means: DriveMeans,
): Promise<ConverseEnd> {
  const calls = new Set<Promise<unknown>>()
  const turn = await openTurn(run, { ...means, calls })
  try {
    const end = await driver.drive(turn).catch((error) => {
      // A reply that was whole, and that something has refused, is said by nobody.
      if (!run.signal.aborted) turn.voidReply()
      throw error
    })
    if (run.signal.aborted) return { status: 'cancelled' }
    return { status: turn.isRejected ? 'rejected' : end }
  } finally {
    // A driver may leave before its calls have: what they say of their end is in the log first.
    await Promise.allSettled(calls)
  }
}

async function openTurn(run: Run, means: CallingMeans): Promise<OwnTurn> {
  const { agent } = run
  const extra = await agent.composed.systemPrompt(run.runtime)
  const prompt = run.view.prompt()
  const parts = [agent.systemPrompt, extra, prompt.text].filter((part) => part !== '')
  return createTurn(run, { ...means, systemPrompt: parts.join('\n\n'), tools: prompt.tools })
}

interface CallingMeans extends DriveMeans {
  /** Those under way, of sub-agents too. */
  calls: Set<Promise<unknown>>
}

interface TurnMeans extends CallingMeans, Pick<DrivenTurn, 'systemPrompt' | 'tools'> {}

/** With what its driver is not to do. */
interface OwnTurn extends DrivenTurn {
  voidReply(): void
}

function createTurn(run: Run, means: TurnMeans): OwnTurn {
  const { log, conversation, agent, signal, session_id, run_id, runtime } = run
  const { isLeft, systemPrompt, tools } = means
  /** Whether something was said of a reply that nothing has ended. */
  let isSaying = false
  /** What readers were told of it. */
  let told = ''
  /** Whether the model has said all of it. */
  let isWhole = false
  /** Calls of a dead process that were not made again yet. */
  const left = new Set(isLeft ? conversation.openCalls : [])
  let noted = new Set(conversation.openCalls.map(({ id }) => id))
  /** Calls of the newest reply that were run. */
  const ended = new Set<string>()

  function noteCall(call: RequestedCall, tool?: OwnTool): void {
    if (noted.has(call.id)) return
    noted.add(call.id)
    log.note(toCallEvent(run, toReadable(call), tool))
  }

  /** One that was run and is run again is another one: each has its result. */
  function toOwnCall(call: RequestedCall): RequestedCall {
    return ended.has(call.id) ? { ...call, id: `call_${crypto.randomUUID()}` } : call
  }

  function noting(sink: ReplySink): ReplySink {
    return {
      ...sink,
      text(content) {
        told += content
        sink.text(content)
      },
      restartText() {
        told = ''
        sink.restartText()
      },
    }
  }

  async function carryOut(call: RequestedCall, tool?: OwnTool): Promise<ToolReply> {
    const open = conversation.openCalls.find(({ id }) => id === call.id)
    const earlier = isLeft && open === undefined ? answerIn(conversation, call.id) : undefined
    if (earlier) return earlier
    if (open?.started && !open.started.idempotent) {
      const lost = toLostResult(run.means.clock.now(), call.id)
      await log.write(lost)
      return toLostReply(lost)
    }
    noteCall(call, tool)
    const state = { messages: conversation.messages }
    // Once: a call that is made beside it is another one.
    const resumed = open && left.delete(open) ? resumedBy(open) : undefined
    const reply = await runCall(run, toReadable(call), { state, tool, resumed })
    ended.add(call.id)
    return reply
  }

  return {
    ...{ session_id, run_id, isLeft, signal, runtime, systemPrompt, tools },
    previous_run: conversation.previousRun,
    maxTurns: agent.maxTurns,
    get messages() {
      return conversation.messages
    },
    get isRejected() {
      return run.asking.isWithdrawn
    },
    get openCalls() {
      return new Set(conversation.openCalls.map(({ id }) => id))
    },
    async askModel(asked, ask) {
      await run.waitForPlace?.(signal)
      if (isSaying) log.restartText()
      isSaying = true
      told = ''
      isWhole = false
      const reply = await inModelSpan(run, asked, (sink) => ask(noting(sink)))
      const { alwaysTokens, tokens } = run.view.prompt()
      account(run, reply, asked, alwaysTokens - tokens)
      isWhole = true
      return reply
    },
    async endReply({ content, reasoning, calls }) {
      if (signal.aborted) throw new AppError('cancelled', 'The run was cancelled.')
      if (content !== told) {
        log.restartText()
        log.text(content)
      }
      told = ''
      isWhole = false
      isSaying = false
      log.endText()
      if (reasoning.length > 0) log.note(...reasoning.map((thought) => toThought(run, thought)))
      await run.means.probe?.('model_replied')
      noted = new Set()
      ended.clear()
      for (const call of calls) noteCall(call)
    },
    say(content) {
      if (isSaying) log.restartText()
      isSaying = false
      isWhole = false
      told = ''
      log.text(content)
      log.endText()
    },
    async runCall(call, tool) {
      const carried = carryOut(toOwnCall(call), tool)
      means.calls.add(carried)
      return carried.finally(() => means.calls.delete(carried))
    },
    async answerCall(tool_call_id, { content, isError }) {
      const timestamp = run.means.clock.now()
      const status = isError ? 'error' : 'success'
      await log.write({
        event_type: 'tool_result',
        timestamp,
        tool_call_id,
        result: content,
        status,
      })
    },
    voidReply() {
      if (!isWhole) return
      log.restartText()
      log.endText()
    },
    async giveUpCalls() {
      await log.write(...toLostCalls(conversation, run.means.clock.now()))
    },
    openSub: (context, prompt) => openSub(run, means, { context, prompt }),
  }
}

/** The result of a call in the newest turn, as a model reads it. */
function answerIn({ messages }: Conversation, tool_call_id: string): ToolReply | undefined {
  const begin = messages.findLastIndex(({ role }) => role === 'user')
  const answer = messages
    .slice(begin + 1)
    .findLast((message) => message.role === 'tool' && message.tool_call_id === tool_call_id)
  if (answer?.role !== 'tool') return undefined
  const { content, is_error } = answer
  const status = is_error ? 'error' : 'success'
  return { content, status, outcome: is_error ? 'failed' : 'ok', result: content }
}

function toLostReply(event: ExecutionEvent): ToolReply {
  const { result } = event as Extract<ExecutionEvent, { event_type: 'tool_result' }>
  const content = JSON.stringify(result)
  return { content, status: 'error', outcome: 'unknown_outcome', result }
}

function openSub(
  caller: Run,
  means: TurnMeans,
  { context, prompt }: { context: OwnToolContext; prompt: string },
): SubTurn {
  const { recogniser, build } = means
  const run = createSubRun({ run: caller, agent: caller.agent, recogniser, build }, context)
  const timestamp = run.means.clock.now()
  const message_id = crypto.randomUUID()
  run.log.note({ event_type: 'user_message', timestamp, message_id, content: prompt })
  const turn = createTurn(run, { ...means, isLeft: false })
  const end: SubTurn['end'] = (error) => {
    if (error === undefined) return run.span.end()
    const type = isAppError(error) ? error.code : 'internal'
    run.span.end({ error: { type, message: 'the sub-agent failed' } })
  }
  // Its getters tell of what is under way.
  return Object.defineProperties({ end }, Object.getOwnPropertyDescriptors(turn)) as SubTurn
}
