import { noTracer } from '@dataagent/hub'
import { type AppError, type ExecutionEvent, isAppError, toErrorEvent } from '@dataagent/schema'
import { type ApprovalPolicy, createAsking } from '../hitl/index.ts'
import type { BuildToolPrompt, IntentRecogniser } from '../intent/index.ts'
import type { Runtime } from '../middleware/index.ts'
import type { SessionLog } from '../session/index.ts'
import type { ExecuteContext } from './contract.ts'
import type { Conversation } from './conversation.ts'
import { type ConverseEnd, converse } from './converse.ts'
import { endingWith } from './ending-with.ts'
import { noteForeign } from './foreign-event.ts'
import type { EngineMeans, PreparedAgent, Run, UsageSum } from './run.ts'
import { createRunLog, type RunEvent } from './run-log.ts'
import { countFor } from './run-usage.ts'
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
  context: ExecuteContext
  signal: AbortSignal
  cancel(reason: AppError): void
  recogniser: IntentRecogniser
  build: BuildToolPrompt
  send(event: RunEvent): void
}

/**
 * Carries a run from its user message, or from where a dead process left it, to its `done`. Throws
 * only where the log cannot take what must be said.
 */
export async function carryOutRun(options: CarryOutOptions): Promise<void> {
  const run = createRun(options)
  const { subAgent, recogniser, build } = options
  allowSubAgents(run, { agent: subAgent, recogniser, build })
  const { log, means, span } = run
  const onFailed = () => options.cancel(log.failed.reason)
  log.failed.addEventListener('abort', onFailed, { once: true })
  try {
    const patience = { clock: means.clock, graceMs }
    const end = await endingWith(run.signal, patience, converse(run)).catch((error) =>
      toFailure(run, error),
    )
    const written = log.write(...toLastEvents(run, end))
    log.close()
    await written
    await means.probe?.('run_ended')
    span.end(end.status === 'failed' ? { error: end.told } : {})
  } catch (error) {
    span.end({ error: { type: isAppError(error) ? error.code : 'internal', message: 'the log' } })
    throw error
  } finally {
    log.close()
    run.asking.close()
  }
}

/** Tools that do not hear the signal are left sooner, and their results are then logged. */
const graceMs = 500

type RunEnd =
  | ConverseEnd
  | { status: 'failed'; error: unknown; told: { type: string; message: string } }

function toFailure(run: Run, error: unknown): RunEnd {
  const { signal, log, means, session_id, run_id } = run
  if (log.failed.aborted) throw log.failed.reason
  const reason: unknown = signal.aborted ? signal.reason : error
  if (isAppError(reason, 'cancelled')) return { status: 'cancelled' }
  if (!isAppError(reason)) means.onError?.(reason, { session_id, run_id })
  const type = isAppError(reason) ? reason.code : 'internal'
  return { status: 'failed', error: reason, told: { type, message: 'the run failed' } }
}

function toLastEvents(run: Run, end: RunEnd): ExecutionEvent[] {
  const { means, agent, conversation, run_id } = run
  const timestamp = means.clock.now()
  const events: ExecutionEvent[] = conversation.openCalls.map(({ id }) =>
    toCancelled(timestamp, id),
  )
  if (end.status === 'too_many_turns') events.push(...tooManyTurns(timestamp, agent.maxTurns))
  if (end.status === 'failed') {
    events.push(toErrorEvent(end.error, { timestamp, reference: run_id }))
  }
  const usage = toUsage(run, timestamp)
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
  const { means, agent, conversation, session_id, run_id, context, signal, send } = options
  const { clock, hub } = means
  const principal = { ...context.principal, agent_id: agent.assistant_id }
  const log = createRunLog({
    ...{ log: options.log, session_id, run_id, conversation, clock, send },
  })
  const state = { run_id, untrusted: new Set(conversation.untrusted) }
  const { recogniser, build } = options
  const view = createToolView({
    ...{ hub, agent, principal, session_id, state, conversation, recogniser, build },
  })
  const asking = createAsking({
    ...{ approvals: hub.approvals, person: context.principal, session_id, clock },
    policy: toApprovalPolicy(agent, context),
    tell: log.note,
    onFault: (error) => means.onError?.(error, { session_id, run_id }),
  })
  const span = (means.tracer ?? noTracer).start('invoke_agent', {
    parent: context.trace,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': agent.assistant_id,
      'session.id': session_id,
      'user.id': principal.user_id ?? undefined,
    },
  })
  const runtime: Runtime = {
    ...{ session_id, run_id, assistant_id: agent.assistant_id, principal, signal },
    context: { ...context.extra, intent: view.match.intent },
    emit: (event) => noteForeign({ log, means, session_id, run_id }, event),
  }
  const usage = {
    model: agent.model.name,
    ...{ prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, always_prompt_tokens: 0 },
  }
  countFor(runtime, usage)
  return {
    ...{ means, agent, principal, session_id, run_id, signal, log, conversation, state },
    ...{ asking, view, span, runtime, usage },
  }
}

/** Where nothing is configured the library approves [D3.5]; a server always says who does. */
function toApprovalPolicy(agent: PreparedAgent, context: ExecuteContext): ApprovalPolicy {
  if (agent.autoApprove) return { kind: 'everything', setting: 'auto_approve' }
  return context.approvals ?? { kind: 'everything', setting: 'no HITLHandler is configured' }
}
