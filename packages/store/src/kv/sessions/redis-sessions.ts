import { AppError, readJson, type Session, sessionSchema } from '@dataagent/schema'
import type { Sessions } from '../../sql/index.ts'
import type { RedisSessionPart } from './redis-event-log.ts'
import { createSessionIndex } from './session-index.ts'
import { createScript, deleteScript, replaceScript, runOnKeys } from './session-scripts.ts'
import { createSessionSearch } from './session-search.ts'

/** The sessions in Redis. A change is a compare-and-set, made again where another was faster. */
export function createRedisSessions(part: RedisSessionPart): Sessions {
  const { connection, keys, ttlMs } = part
  const index = createSessionIndex(part)
  const search = createSessionSearch(part, index)

  async function read(session_id: string): Promise<{ text: string; session: Session } | undefined> {
    const text = await connection.run((redis) => redis.hget(keys.of(session_id)[0], 'session'))
    return text === null ? undefined : { text, session: toSession(text) }
  }

  /** What became of it: see the script. */
  async function remove(session_id: string, tenant: string, before: number | '') {
    const args = [tenant, before]
    const reply = await runOnKeys(connection, deleteScript, keys.of(session_id), args)
    const [verdict, found] = reply as [number, string?]
    if (verdict === 2) return { status: 'active', last_active: Number(found) } as const
    const session = verdict === 1 && found !== undefined ? toSession(found) : undefined
    if (session || before !== '') await index.remove(session_id, session)
    return { status: session ? 'deleted' : 'none' } as const
  }

  const ofUser = (tenant_id: string, user_id: string, count: number) => {
    const fits = (session: Session) =>
      session.tenant_id === tenant_id && session.user_id === user_id
    return index.find(keys.byUser(tenant_id, user_id), fits, count)
  }

  return {
    ...search,

    async create(session, { max } = {}) {
      const { session_id, tenant_id, last_active } = session
      checkId(session_id)
      const args = [JSON.stringify(session), tenant_id, last_active, ttlMs]
      const verdict = await runOnKeys(connection, createScript, keys.of(session_id), args)
      if (verdict !== 1) throw new AppError('conflict', `there is a session ${session_id} already`)
      // It is there before it is entered: what is entered and not there counts as gone.
      if (max !== undefined && !(await index.enter(session, max))) {
        await remove(session_id, tenant_id, '')
        throw noRoom(max)
      }
      await index.place(session)
    },

    async get(tenant_id, session_id) {
      const found = await read(session_id)
      return found?.session.tenant_id === tenant_id ? found.session : undefined
    },

    async update(tenant_id, session_id, change) {
      for (;;) {
        const found = await read(session_id)
        if (found?.session.tenant_id !== tenant_id) throw unknown(session_id)
        const { text, session } = found
        const next = withChange(session, change(toSession(text)))
        const args = [text, JSON.stringify(next), next.last_active, ttlMs]
        const verdict = await runOnKeys(connection, replaceScript, keys.of(session_id), args)
        if (verdict === 1) {
          await index.place(next, session)
          return next
        }
      }
    },

    delete: async (tenant_id, session_id) =>
      (await remove(session_id, tenant_id, '')).status === 'deleted',

    async listByUser(tenant_id, user_id, { limit, offset }) {
      return (await ofUser(tenant_id, user_id, offset + limit)).slice(offset, offset + limit)
    },

    async listByAssistant(tenant_id, assistant_id, { limit, offset }) {
      const fits = (session: Session) =>
        session.tenant_id === tenant_id && session.assistant_id === assistant_id
      const key = keys.byAssistant(tenant_id, assistant_id)
      return (await index.find(key, fits, offset + limit)).slice(offset, offset + limit)
    },

    countByUser: async (tenant_id, user_id) => (await ofUser(tenant_id, user_id, Infinity)).length,

    /** Gives those too that Redis has let go by itself. */
    async cleanupExpired({ before, limit }) {
      const expired: string[] = []
      for (const session_id of await index.oldest(before, limit)) {
        const removed = await remove(session_id, '', before)
        if (removed.status !== 'active') expired.push(session_id)
        else await connection.run((redis) => move(redis, session_id, removed.last_active))
      }
      return expired
    },
  }

  function move(redis: typeof connection.client, session_id: string, last_active: number) {
    return redis.zadd(keys.byActivity, 'GT', last_active, session_id)
  }
}

function withChange(session: Session, change: Partial<Session>): Session {
  const { assistant_id, last_active, state, metadata } = { ...session, ...change }
  return { ...session, assistant_id, last_active, state, metadata }
}

function toSession(text: string): Session {
  return readJson(text) as unknown as Session
}

function checkId(session_id: string): void {
  if (sessionSchema.shape.session_id.safeParse(session_id).success) return
  throw new AppError('invalid_request', 'session_id: expected letters, digits or . _ @ + -')
}

function unknown(session_id: string): AppError {
  return new AppError('not_found', `there is no session ${session_id}`)
}

function noRoom(max: number): AppError {
  const data = { limit: 'max_sessions_per_user', max }
  return new AppError('quota_exceeded', `a user may have ${max} sessions: delete one first`, {
    data,
  })
}
