import { type AppError, type ExecutionEvent, isAppError, toErrorEvent } from '@dataagent/schema'
import { type ApprovalPolicy, createAsking } from '../hitl/index.ts'
import type { BuildToolPrompt, IntentRecogniser } from '../intent/index.ts'
import type { Runtime } from '../middleware/index.ts'
import type { ModelUsage } from '../models/index.ts'
import type { SessionLog } from '../session/index.ts'
import { setAgentEnd, startAgentSpan } from './agent-span.ts'
import { createShownRoom } from './beside-text.ts'
import { compact } from './compact.ts'
import type { ExecuteContext } from './contract.ts'
import type { Conversation } from './conversation.ts'
import { type CompactEnd, type ConverseEnd, converse } from './converse.ts'
import { driveTurn } from './drive-turn.ts'
import { endingWith } from './ending-with.ts'
import { noteForeign } from './foreign-event.ts'
import { toMatchedEvent } from './matched-event.ts'
import type { EngineMeans, PreparedAgent, Run, RunKind, UsageSum } from './run.ts'
import { createRunLog, type RunEvent } from './run-log.ts'
import type { EngineRunState } from './run-state.ts'
import { allowSubAgents } from './sub-agent.ts'
import { createToolView } from './tool-view.ts'

export interface CarryOutOptions {
  means: EngineMeans
  agent: PreparedAgent
  /** What works on its tasks. */
  subAgent: PreparedAgent
  log: SessionLog
  conversation: Conversation
  session_id: string
  run_id: string
  kind: RunKind
  hasPendingApproval: boolean
  isLeft: boolean
  context: ExecuteContext
  signal: AbortSignal
  lost: AbortSignal
  cancel(reason: AppError): void
  recogniser: IntentRecogniser
  build: BuildToolPrompt
  send(event: RunEvent): void
}

/**
 * Carries a run from its user message, or from where a dead process left it, to its `done`. Throws
 * only where the log cannot take what must be said, or the run is another's from now on.
 */
export async function carryOutRun(options: CarryOutOptions): Promise<void> {
  const run = createRun(options)
  const isTurn = options.kind === 'turn'
  const { subAgent, recogniser, build } = options
  allowSubAgents(run, { agent: subAgent, recogniser, build })
  const { log, means, span, conversation } = run
  // What another process had sent of a reply is void, whether the log has it or not: the model is
  // asked again.
  const isCut = options.isLeft || conversation.partialText !== undefined
  if (isCut && conversation.openCalls.length === 0) log.voidText()
  const onFailed = () => options.cancel(log.failed.reason)
  log.failed.addEventListener('abort', onFailed, { once: true })
  try {
    if (isTurn && !options.isLeft) noteMatch(run)
    const patience = { clock: means.clock, graceMs }
    const work: Promise<RunEnd> = isTurn ? takeTurn(run, options) : compact(run)
    const end = await endingWith(run.signal, patience, work).catch((error) => toFailure(run, error))
    run.lost.throwIfAborted()
    const written = log.write(...toLastEvents(run, end, options.kind))
    log.close()
    await written
    await means.probe?.('run_ended')
    setAgentEnd(run, end.status)
    span.end(end.status === 'failed' ? { error: end.told } : {})
  } catch (error) {
    // Who goes on with it must find all that was written.
    if (run.lost.aborted) await log.flush().catch(() => {})
    setAgentEnd(run, run.lost.aborted ? 'left' : 'failed')
    span.end(run.lost.aborted ? {} : { error: toLogFault(error) })
    throw error
  } finally {
    log.close()
    run.asking.close()
  }
}

function takeTurn(run: Run, { isLeft, recogniser, build }: CarryOutOptions): Promise<RunEnd> {
  const { driver } = run.agent
  return driver ? driveTurn(run, driver, { isLeft, recogniser, build }) : converse(run)
}

function toLogFault(error: unknown): { type: string; message: string } {
  return { type: isAppError(error) ? error.code : 'internal', message: 'the log failed' }
}

function noteMatch({ view, log, means }: Run): void {
  const matched = toMatchedEvent(view, means.clock.now())
  if (matched) log.note(matched)
}

/** Tools that do not hear the signal are left sooner, and their results are then logged. */
const graceMs = 500

type RunEnd =
  | ConverseEnd
  | CompactEnd
  | { status: 'failed'; error: unknown; told: { type: string; message: string } }

function toFailure(run: Run, error: unknown): RunEnd {
  const { signal, log, means, session_id, run_id } = run
  const fault: unknown = log.failed.reason
  if (log.failed.aborted && !isAppError(fault, 'too_large')) throw fault
  const reason: unknown = signal.aborted ? signal.reason : error
  if (isAppError(reason, 'cancelled')) return { status: 'cancelled' }
  if (!isAppError(reason)) means.onError?.(reason, { session_id, run_id })
  const type = isAppError(reason) ? reason.code : 'internal'
  return { status: 'failed', error: reason, told: { type, message: 'the run failed' } }
}

/** In one append: a summary whose run has not ended would be gone on with as a turn. */
function toLastEvents(run: Run, end: RunEnd, kind: RunKind): ExecutionEvent[] {
  const { means, agent, conversation, run_id } = run
  const timestamp = means.clock.now()
  const events: ExecutionEvent[] = conversation.openCalls.map(({ id }) =>
    toCancelled(timestamp, id),
  )
  if (end.status === 'too_many_turns') events.push(...tooManyTurns(timestamp, agent.maxTurns))
  if (end.status === 'failed') {
    const told = toErrorEvent(end.error, { timestamp, reference: run_id })
    // There is no turn that could be tried again.
    events.push(kind === 'turn' ? told : { ...told, recoverable: false })
  }
  const usage = toUsage(run, timestamp)
  if (end.status === 'compacted') {
    if (end.event) events.push(end.event)
    else if (usage === undefined) return events
  }
  if (usage) events.push(usage)
  const cancelled = end.status === 'cancelled' || end.status === 'rejected'
  events.push({ event_type: 'done', timestamp, cancelled })
  return events
}

function toCancelled(timestamp: number, tool_call_id: string): ExecutionEvent {
  return {
    event_type: 'tool_result',
    timestamp,
    tool_call_id,
    result: { code: 'cancelled', message: 'The run was cancelled.', advice: 'give_up' },
    status: 'error',
    outcome: 'cancelled',
  }
}

function tooManyTurns(timestamp: number, maxTurns: number): ExecutionEvent[] {
  const error =
    `The agent has asked the model ${maxTurns} times in this run and stops here. ` +
    'Say "go on" to let it continue, or raise max_turns.'
  return [
    { event_type: 'error', timestamp, error, recoverable: true, error_code: 'quota_exceeded' },
  ]
}

function toUsage({ usage, agent, view }: Run, timestamp: number): ExecutionEvent | undefined {
  const { prompt_tokens, completion_tokens, cached_tokens, always_prompt_tokens } = usage
  if (prompt_tokens === 0) return undefined
  return {
    event_type: 'usage',
    timestamp,
    model: usage.model,
    tool_mode: view.prompt().mode,
    prompt_tokens,
    completion_tokens,
    always_prompt_tokens,
    ...(cached_tokens > 0 && { cached_tokens }),
    ...(agent.price && { cost: toCost(usage, agent.price) }),
  }
}

function toCost(usage: UsageSum, price: NonNullable<PreparedAgent['price']>): number {
  const { prompt_tokens, completion_tokens, cached_tokens } = usage
  const { prompt, completion, cached = prompt } = price
  const fresh = (prompt_tokens - cached_tokens) * prompt
  return (fresh + cached_tokens * cached + completion_tokens * completion) / 1_000_000
}

function createRun(options: CarryOutOptions): Run {
  const { means, agent, conversation, session_id, run_id, context, signal, lost, send } = options
  const { clock, hub } = means
  const principal = { ...context.principal, agent_id: agent.assistant_id }
  const log = createRunLog({
    ...{ log: options.log, session_id, run_id, conversation, clock, send, lost },
  })
  const { without } = context
  const state: EngineRunState = { run_id, untrusted: new Set(conversation.untrusted), without }
  const { recogniser, build, hasPendingApproval } = options
  const view = createToolView({
    ...{ hub, agent, principal, session_id, state, conversation, recogniser, build },
    hasPendingApproval,
  })
  const asking = createAsking({
    ...{ approvals: hub.approvals, person: context.principal, session_id, clock },
    policy: toApprovalPolicy(agent, context),
    tell: log.note,
    onFault: (error) => means.onError?.(error, { session_id, run_id }),
  })
  const { kind, isLeft } = options
  const span = startAgentSpan({
    ...{ means, agent, principal, session_id, run_id, kind, isLeft, parent: context.trace },
  })
  const usage: UsageSum = {
    model: agent.model.name,
    ...{ prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, always_prompt_tokens: 0 },
  }
  const runtime: Runtime = {
    ...{ session_id, run_id, assistant_id: agent.assistant_id, principal, signal },
    context: { ...context.extra, intent: view.match.intent },
    emit: (event) => noteForeign({ log, means, session_id, run_id }, event),
    addUsage: (used) => addUsage(usage, used),
  }
  return {
    ...{ means, agent, principal, session_id, run_id, signal, lost, log, conversation, state },
    ...{ asking, view, span, runtime, usage, waitForPlace: context.waitForPlace },
    shownRoom: createShownRoom(),
  }
}

/** What a middleware's own call of a model cost. */
function addUsage(sum: UsageSum, used: ModelUsage): void {
  sum.prompt_tokens += used.prompt_tokens
  sum.always_prompt_tokens += used.prompt_tokens
  sum.completion_tokens += used.completion_tokens
  sum.cached_tokens += used.cached_tokens ?? 0
}

/**
 * Where nothing is configured the library approves [D3.5]; a server always says who does. What an
 * agent approves by itself is not what may do harm, where somebody is there to ask.
 */
function toApprovalPolicy(agent: PreparedAgent, { approvals }: ExecuteContext): ApprovalPolicy {
  if (!agent.autoApprove)
    return approvals ?? { kind: 'everything', setting: 'no HITLHandler is configured' }
  const harmful = approvals?.kind === 'everything' ? approvals.harmful : approvals
  return { kind: 'everything', setting: 'auto_approve', harmful }
}
