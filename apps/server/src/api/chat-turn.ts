import { createHash } from 'node:crypto'
import { readLast, type SessionLog } from '@dataagent/core'
import { AppError, type ChatRequest, isAppError, type Session } from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'
import type { Platform } from '../platform/index.ts'
import { type RunRequest, readStored, type StartedRun } from '../runs/index.ts'

/** Longer than that the message was sent is known, so that it never begins a second turn. */
const keptMs = 48 * 3_600_000
/** How far back a message that is sent again is looked for. */
const tailMax = 2_000

/** Where a message goes, and the id by which it is known when it is sent again. */
export interface ChatPlace {
  session: Session
  message_id: string | undefined
}

/**
 * The session that was named, or a new one. With an Idempotency-Key a message that is sent again
 * after its answer was lost finds the session and the turn that it began.
 */
export async function openPlace(
  platform: Platform,
  principal: Principal,
  { body, key }: { body: ChatRequest; key: string | undefined },
): Promise<ChatPlace> {
  const name = key === undefined ? undefined : toName(principal, key)
  const message_id = body.message_id ?? name
  if (name === undefined || body.session_id !== undefined)
    return { session: await openSession(platform, principal, body), message_id }
  const kept = await platform.kv.get(`chat:${name}`)
  const session = await openSession(platform, principal, {
    ...body,
    ...(kept && { session_id: kept }),
  })
  await platform.kv.set(`chat:${name}`, session.session_id, { ttlMs: keptMs })
  return { session, message_id }
}

function toName({ tenant_id, user_id }: Principal, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant_id, user_id, key]))
    .digest('hex')
}

async function openSession(
  { sessions, agents }: Platform,
  { tenant_id, user_id }: Principal,
  { session_id, assistant_id }: ChatRequest,
): Promise<Session> {
  if (session_id === undefined) {
    const agent = agents.choose(tenant_id, assistant_id)
    return sessions.getOrCreateSession({ tenant_id, user_id, assistant_id: agent.assistant_id })
  }
  const session = await sessions.getSession({ tenant_id, user_id }, session_id)
  if (assistant_id !== undefined && assistant_id !== session.assistant_id) {
    throw new AppError('conflict', `this session is with ${session.assistant_id}: begin another`)
  }
  return session
}

/** Begins the turn; or finds it, where its message was received already. */
export async function startOrFind(platform: Platform, request: RunRequest): Promise<StartedRun> {
  try {
    return await platform.runs.start(request)
  } catch (error) {
    const isRepeated = isAppError(error, 'conflict') && error.data?.busy === true
    const isReceived = isAppError(error, 'conflict') && error.data?.received === true
    const found = isRepeated || isReceived ? await findRun(platform, request) : undefined
    if (found === undefined) throw error
    return found
  }
}

/** The run that a message began, in whichever process it is. */
async function findRun(
  { stores, runs }: Platform,
  { session: { session_id }, message_id, signal }: RunRequest,
): Promise<StartedRun | undefined> {
  if (message_id === undefined) return undefined
  const asked = await findMessage(stores.events, session_id, message_id)
  if (asked?.run_id === undefined) return undefined
  const { run_id, seq: first_seq } = asked
  const over = Promise.withResolvers<void>()
  const follower = runs.follow({
    ...{ session_id, after: { seq: first_seq - 1, offset: 0 } },
    onEvent(event) {
      if (event.run_id === run_id && event.event_type === 'done') over.resolve()
    },
  })
  signal?.addEventListener('abort', () => over.resolve(), { once: true })
  return { run_id, first_seq, ended: over.promise.finally(follower.close) }
}

async function findMessage(log: SessionLog, session_id: string, message_id: string) {
  for await (const rows of readLast(log, session_id, tailMax)) {
    for (const { json } of rows) {
      const event = readStored(json)
      if ('message_id' in event && event.message_id === message_id) return event
    }
  }
  return undefined
}
