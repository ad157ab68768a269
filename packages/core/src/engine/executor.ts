import { randomUUID } from 'node:crypto'
import { systemClock } from '@dataagent/guard'
import { noTracer } from '@dataagent/hub'
import { AppError, isAppError, toErrorEvent, toErrorResponse } from '@dataagent/schema'
import { createEventQueue } from '../events/index.ts'
import { createIntentRecogniser, createToolPromptBuilder } from '../intent/index.ts'
import {
  createRunLeases,
  type RunLease,
  type RunLeases,
  type SessionLog,
} from '../session/index.ts'
import { type BeginAt, type Begun, beginTurn } from './begin-turn.ts'
import { carryOutRun } from './carry-out-run.ts'
import { isWorthCompacting } from './compact.ts'
import type { Agent, AgentExecutor, ExecuteContext } from './contract.ts'
import type { Conversation } from './conversation.ts'
import { createConversations } from './conversations.ts'
import { keepAlive } from './keep-alive.ts'
import { loadConversation } from './load-conversation.ts'
import { prepareAgent, toSubAgent } from './prepare-agent.ts'
import type { EngineMeans } from './run.ts'
import type { RunEvent } from './run-log.ts'
import { createRunSignal } from './run-signal.ts'
import { weighContext } from './weigh-context.ts'

export interface ExecutorOptions extends Partial<Omit<EngineMeans, 'hub'>> {
  hub: EngineMeans['hub']
  agent: Agent
  log: SessionLog
  /** Default: one run per session in this process. */
  leases?: RunLeases | undefined
  /** What becomes of a run whose reader leaves. Default `cancel`. */
  onLeave?: 'cancel' | 'finish' | undefined
  /** Conversations that are kept in memory. Default 200. */
  maxConversations?: number | undefined
}

/** Makes the executor of one agent, for any number of sessions at once. */
export function createExecutor(options: ExecutorOptions): AgentExecutor {
  const { hub, log, onLeave: whenLeft = 'cancel', clock = systemClock } = options
  const { leases = createRunLeases({ clock }), tracer = noTracer } = options
  const { probe, onError, traceContent, onModelCall, maxConversations } = options
  const means: EngineMeans = {
    ...{ hub, clock, tracer, probe, onError, traceContent, onModelCall },
  }
  const agent = prepareAgent(options.agent)
  const subAgent = toSubAgent(agent)
  const conversations = createConversations({ log, max: maxConversations })
  const recogniser = createIntentRecogniser()
  const build = createToolPromptBuilder()
  /** Runs that were told to end, by session. */
  const ending = new Map<string, Promise<void>>()

  /** Everything that is said, until the run is over; nothing is thrown. */
  function converse(session_id: string, context: ExecuteContext, { begin, isFresh }: Beginning) {
    const leaving = new AbortController()
    const over = Promise.withResolvers<void>()
    let isBegun = false
    const queue = createEventQueue<RunEvent>({
      onStart: () => void start(),
      onLeave,
    })

    async function start(): Promise<void> {
      const { run_id = randomUUID() } = context
      let isLost = () => false
      isBegun = true
      using _alive = keepAlive()
      try {
        await inLease(session_id, context, (lease) => {
          isLost = () => lease.lost.aborted
          return run(lease, run_id)
        })
      } catch (error) {
        conversations.drop(session_id)
        if (isLost()) return
        if (!isAppError(error)) onError?.(error, { session_id, run_id })
        queue.push(toUnlogged(error, { session_id, run_id, now: clock.now() }))
      } finally {
        if (ending.get(session_id) === over.promise) ending.delete(session_id)
        over.resolve()
        queue.end()
      }
    }

    function onLeave(): void {
      if (whenLeft !== 'cancel' || !isBegun) return
      ending.set(session_id, over.promise)
      leaving.abort()
    }

    async function run(lease: RunLease, run_id: string): Promise<void> {
      const cancelledBy = [context.signal, leaving.signal]
      using stop = createRunSignal({ lost: lease.lost, cancelledBy })
      if (isFresh) conversations.drop(session_id)
      const conversation = await conversations.take(session_id, ownerOf(context))
      const begun = await begin({ session_id, run_id, context, conversation, send: queue.push })
      if (begun === undefined) return
      await carryOutRun({
        ...{ means, agent, subAgent, log, session_id, context, recogniser, build, ...begun },
        ...{ signal: stop.signal, lost: stop.lost },
        cancel: stop.cancel,
        send: queue.push,
      })
    }

    return queue
  }

  async function inLease(
    session_id: string,
    context: ExecuteContext,
    work: (lease: RunLease) => Promise<void>,
  ): Promise<void> {
    const lease = await acquire(session_id)
    if (lease === undefined) throw busy(conversations.peek(session_id, ownerOf(context)))
    try {
      await work(lease)
    } finally {
      await lease.release()
    }
  }

  /** A run that is being cancelled here is about to end: who comes next waits for it. */
  async function acquire(session_id: string): Promise<RunLease | undefined> {
    await ending.get(session_id)
    return leases.acquire(session_id)
  }

  return {
    execute: (input, session_id, context) =>
      converse(session_id, context, {
        isFresh: false,
        begin: (at) => beginTurn({ log, clock, hub, probe }, at, input),
      }),
    resume: (session_id, context) =>
      converse(session_id, context, {
        isFresh: true,
        begin: async (at) => findLeft(at, context.onlyRun),
      }),
    compact: (session_id, context) =>
      converse(session_id, context, { isFresh: true, begin: async (at) => beginCompaction(at) }),
    weigh: async (session_id, context) => {
      const conversation = await loadConversation(log, session_id)
      return weighContext({ hub, agent, session_id, context, conversation, recogniser, build })
    },
  }
}

/** How a run begins. */
interface Beginning {
  /** What is kept may be of another process's past: the log alone counts. */
  isFresh: boolean
  /** Gives the run to carry out, or undefined where there is nothing to do. */
  begin(at: BeginAt): Promise<Begun | undefined>
}

function findLeft({ conversation, run_id }: BeginAt, onlyRun?: string): Begun | undefined {
  const { openRun, isRetryable } = conversation
  if (onlyRun !== undefined && openRun !== onlyRun) return undefined
  if (openRun === undefined && !isRetryable) return undefined
  const isLeft = openRun !== undefined
  const kind = 'turn'
  return { kind, run_id: openRun ?? run_id, conversation, hasPendingApproval: false, isLeft }
}

function beginCompaction({ conversation, run_id }: BeginAt): Begun | undefined {
  if (conversation.openRun !== undefined) throw busy(conversation)
  if (!isWorthCompacting(conversation)) return undefined
  const kind = 'compaction'
  return { kind, run_id, conversation, hasPendingApproval: false, isLeft: false }
}

/** Whose conversation it is: what is kept for one is not given to another. */
function ownerOf({ principal: { tenant_id, user_id } }: ExecuteContext): string {
  return JSON.stringify([tenant_id, user_id])
}

/** Words alone decide nothing: a yes may be meant for something else. */
function busy(kept: Conversation | undefined): AppError {
  const isAsking = (kept?.openApprovals.length ?? 0) > 0
  const told = isAsking
    ? 'The session waits for a decision: approve or reject what it asks for, or cancel it.'
    : 'The session is busy with an earlier message: wait until it has ended, or cancel it.'
  return new AppError('unavailable', told, { data: { busy: true, retryAfterMs: 1_000 } })
}

/** An error that is told and not logged: the log is what failed, or nothing had begun. */
function toUnlogged(
  error: unknown,
  { session_id, run_id, now }: { session_id: string; run_id: string; now: number },
): RunEvent {
  const event = toErrorEvent(error, { timestamp: now, reference: run_id })
  const { details } = toErrorResponse(error, run_id).body
  return { ...event, ...(details && { details }), session_id, seq: 0, run_id } as RunEvent
}
