import {
  AppError,
  cancelResponseSchema,
  chatRequestSchema,
  chatResponseSchema,
  id,
  type SentEvent,
  type Session,
} from '@dataagent/schema'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Call, defineRoute, type Route, traceOf } from '../deps/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { readStored, type StartedRun } from '../runs/index.ts'
import { openPlace, startOrFind } from './chat-turn.ts'
import { streamRun } from './event-stream.ts'
import { readLog } from './sessions-log.ts'
import { findSession } from './sessions-view.ts'

const streamQuery = z.strictObject({ stream: z.enum(['true', 'false']).default('false') })
const sessionPath = z.strictObject({ session_id: id })

/** Turns over plain HTTP. */
export function chatRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ method: 'POST', path: '/chat', tag: 'chat', access: 'user' },
      ...{ creates: true, findsAgain: true },
      summary:
        'Sends a message and answers when the turn has ended, or with stream=true as it goes.',
      ...{ query: streamQuery, body: chatRequestSchema, answer: chatResponseSchema, asIs: true },
      raw: { produces: 'application/json, text/event-stream' },
      async handle(call) {
        const here = platform()
        const { principal, body, signal } = call
        const key = call.request.headers['idempotency-key']?.toString()
        const trace = traceOf(call.request)
        const { session, message_id } = await openPlace(here, principal, { body, key })
        const canAsk = call.query.stream === 'true'
        const { message } = body
        const run = await startOrFind(here, {
          ...{ principal, session, message, message_id, canAsk, signal, trace },
        })
        return answer(here, call, session, run)
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/chat/:session_id/resume', tag: 'chat', access: 'user' },
      summary: 'Goes on after a recoverable error.',
      ...{ params: sessionPath, query: streamQuery, answer: chatResponseSchema, asIs: true },
      raw: { produces: 'application/json, text/event-stream' },
      async handle(call) {
        const here = platform()
        const { principal, params, signal } = call
        const session = await here.sessions.getSession(principal, params.session_id)
        const canAsk = call.query.stream === 'true'
        const trace = traceOf(call.request)
        const run = await here.runs.resume({ principal, session, canAsk, signal, trace })
        if (run === undefined) throw new AppError('conflict', 'There is nothing to go on with.')
        return answer(here, call, session, run)
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/chat/:session_id/cancel', tag: 'chat', access: 'user' },
      ...{ summary: 'Stops the turn that runs in the session.', lane: 'reserved' },
      ...{ params: sessionPath, answer: cancelResponseSchema },
      async handle({ principal, params }) {
        const here = platform()
        const { session_id } = await findSession(here, principal, params.session_id)
        return here.runs.cancel(session_id)
      },
    }),
  ]
}

async function answer(
  platform: Platform,
  call: Call<unknown, z.output<typeof streamQuery>>,
  { session_id }: Session,
  run: StartedRun,
): Promise<z.output<typeof chatResponseSchema> | FastifyReply> {
  if (call.query.stream === 'true') return streamRun(platform, call, { session_id, run })
  await endOf(platform, session_id, run, call.signal)
  const events = await eventsOf(platform, session_id, run)
  // Half a turn is no answer: it goes on in the session, here or in another process.
  if (events.at(-1)?.event_type !== 'done') throw goesOn(session_id)
  return { session_id, events }
}

/** Waits for the run; where the caller leaves, the run is left without a reader. */
async function endOf(
  { runs }: Platform,
  session_id: string,
  { ended }: StartedRun,
  signal: AbortSignal,
): Promise<void> {
  const leave = runs.watch(session_id)
  const left = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  try {
    await Promise.race([ended, left])
  } finally {
    leave()
  }
}

function goesOn(session_id: string): AppError {
  const message = 'The turn goes on without this request: ask again, or read the session.'
  return new AppError('unavailable', message, { data: { session_id, retryAfterMs: 1_000 } })
}

/** What the log holds of the run. */
async function eventsOf(
  { stores }: Platform,
  session_id: string,
  { run_id, first_seq }: StartedRun,
): Promise<SentEvent[]> {
  const events: SentEvent[] = []
  for await (const page of readLog(stores.events, session_id, first_seq - 1))
    events.push(...page.map(({ json }) => readStored(json)))
  return events.filter((event) => event.run_id === run_id)
}
