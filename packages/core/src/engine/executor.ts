import { randomUUID } from 'node:crypto'
import { systemClock } from '@dataagent/guard'
import { noTracer } from '@dataagent/hub'
import {
  AppError,
  type ExecutionEvent,
  isAppError,
  parseEvent,
  toErrorEvent,
} from '@dataagent/schema'
import { createEventQueue } from '../events/index.ts'
import { createIntentRecogniser, createToolPromptBuilder } from '../intent/index.ts'
import {
  createRunLeases,
  type RunLease,
  type RunLeases,
  type SessionLog,
} from '../session/index.ts'
import { carryOutRun } from './carry-out-run.ts'
import type { Agent, AgentExecutor, ExecuteContext } from './contract.ts'
import type { Conversation } from './conversation.ts'
import { createConversations } from './conversations.ts'
import { keepAlive } from './keep-alive.ts'
import { prepareAgent, prepareSubAgent } from './prepare-agent.ts'
import { repairRun } from './repair-run.ts'
import type { EngineMeans } from './run.ts'
import type { RunEvent } from './run-log.ts'
import { createRunSignal } from './run-signal.ts'

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
  const { probe, onError, maxConversations } = options
  const means: EngineMeans = { hub, clock, tracer, probe, onError }
  const agent = prepareAgent(options.agent)
  const subAgent = prepareSubAgent(options.agent)
  const conversations = createConversations({ log, max: maxConversations })
  const recogniser = createIntentRecogniser()
  const build = createToolPromptBuilder()
  /** Runs that were told to end, by session. */
  const ending = new Map<string, Promise<void>>()

  /** As `converse`; what is kept may be of another process's past, so the log alone counts. */
  function reread(session_id: string, context: ExecuteContext, begin: Begin) {
    return converse(session_id, context, async (at) => {
      conversations.drop(session_id)
      const conversation = await conversations.take(session_id, ownerOf(context))
      return begin({ ...at, conversation })
    })
  }

  /** Everything that is said, until the run is over; nothing is thrown. */
  function converse(session_id: string, context: ExecuteContext, begin: Begin) {
    const leaving = new AbortController()
    const over = Promise.withResolvers<void>()
    let isBegun = false
    const queue = createEventQueue<RunEvent>({
      onStart: () => void start(),
      onLeave,
    })

    async function start(): Promise<void> {
      const run_id = randomUUID()
      isBegun = true
      using _alive = keepAlive()
      try {
        await inLease(session_id, (lease) => run(lease, run_id))
      } catch (error) {
        conversations.drop(session_id)
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
      using stop = createRunSignal(context.signal, leaving.signal, lease.lost)
      const kept = await conversations.take(session_id, ownerOf(context))
      const begun = await begin({ conversation: kept, run_id, send: queue.push })
      if (begun === undefined) return
      const { conversation } = begun
      await carryOutRun({
        ...{ means, agent, subAgent, log, conversation, session_id, context, recogniser, build },
        ...{ run_id: begun.run_id, signal: stop.signal, cancel: stop.cancel },
        send: queue.push,
      })
    }

    return queue
  }

  async function inLease(session_id: string, work: (lease: RunLease) => Promise<void>) {
    const lease = await acquire(session_id)
    if (lease === undefined) throw busy()
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

  /** The user's words, after what an earlier run left behind was put in order. */
  async function beginTurn(
    input: string,
    session_id: string,
    context: ExecuteContext,
    at: BeginAt,
  ) {
    const { conversation, run_id, send } = at
    const { message_id = randomUUID() } = context
    const message = { event_type: 'user_message', timestamp: clock.now(), message_id } as const
    const event: ExecutionEvent = { ...message, content: input }
    // What the log holds must be readable for ever.
    parseEvent(event)
    const means = { log, clock, approvals: hub.approvals, tenant_id: context.principal.tenant_id }
    for (let attempt = 1; ; attempt += 1) {
      try {
        // Before the repair: who repeats a message does not end the run that it began.
        if (conversation.hasMessage(message_id)) throw received()
        await repairRun(means, { session_id, conversation })
        await logMessage({ session_id, run_id, conversation, send }, event)
        return { run_id, conversation }
      } catch (error) {
        if (!isAppError(error, 'conflict') || isReceived(error) || attempt === 3) throw error
        await conversations.catchUp(session_id, conversation)
      }
    }
  }

  async function logMessage(
    at: BeginAt & { session_id: string },
    event: ExecutionEvent,
  ): Promise<void> {
    const { session_id, run_id, conversation, send } = at
    const seq = conversation.head + 1
    const placed = { ...event, session_id, seq, run_id }
    const entry = { kind: event.event_type, json: JSON.stringify(placed) }
    await log.append(session_id, [entry], { after: conversation.head })
    conversation.apply(event, { seq, run_id })
    send(placed as RunEvent)
    await probe?.('message_logged')
  }

  return {
    execute: (input, session_id, context) =>
      converse(session_id, context, (at) => beginTurn(input, session_id, context, at)),
    resume: (session_id, context) =>
      reread(session_id, context, async ({ conversation, run_id }) => {
        const { openRun, isRetryable } = conversation
        if (openRun === undefined && !isRetryable) return undefined
        return { run_id: openRun ?? run_id, conversation }
      }),
  }
}

interface BeginAt {
  conversation: Conversation
  run_id: string
  send(event: RunEvent): void
}

/** Gives the run to carry out, or undefined where there is nothing to do. */
type Begin = (at: BeginAt) => Promise<Begun | undefined>

type Begun = Pick<BeginAt, 'run_id' | 'conversation'>

/** Whose conversation it is: what is kept for one is not given to another. */
function ownerOf({ principal: { tenant_id, user_id } }: ExecuteContext): string {
  return JSON.stringify([tenant_id, user_id])
}

function busy(): AppError {
  return new AppError(
    'unavailable',
    'The session is busy with an earlier message: wait until it has ended, or cancel it.',
  )
}

const receivedText = 'This message was received already.'

function received(): AppError {
  return new AppError('conflict', receivedText)
}

function isReceived(error: unknown): boolean {
  return error instanceof AppError && error.message === receivedText
}

/** An error that is told and not logged: the log is what failed, or nothing had begun. */
function toUnlogged(
  error: unknown,
  { session_id, run_id, now }: { session_id: string; run_id: string; now: number },
): RunEvent {
  const event = toErrorEvent(error, { timestamp: now, reference: run_id })
  return { ...event, session_id, seq: 0, run_id } as RunEvent
}
