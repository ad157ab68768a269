import { readJson, type Session } from '@dataagent/schema'
import type { ChainableCommander } from 'ioredis'
import type { RedisSessionPart } from './redis-event-log.ts'
import { enterScript, runOnKeys } from './session-scripts.ts'

/**
 * The ways to find sessions, each sorted by last activity. They may be a moment behind the sessions
 * themselves, and may name some that are gone: what is found is looked at, and what is gone is
 * taken out.
 */
export interface SessionIndex {
  /** Enters it with those of its user, unless there are `max`; false then. */
  enter(session: Session, max: number): Promise<boolean>
  /** Enters it, or moves it to where it belongs by now. */
  place(session: Session, before?: Session): Promise<void>
  remove(session_id: string, session: Session | undefined): Promise<void>
  /** Those that are there and fit, latest first, until there are `count`. */
  find(key: string, fits: (session: Session) => boolean, count: number): Promise<Session[]>
  /** Of those that seem to have been active last before `before`, the oldest. */
  oldest(before: number, limit: number): Promise<string[]>
}

const chunk = 500
/** A list that nobody adds to for so many lifetimes of a session has nothing left to find. */
const lifetimes = 4

export function createSessionIndex({ connection, keys, ttlMs }: RedisSessionPart): SessionIndex {
  const { run } = connection
  const keysOf = ({ tenant_id, user_id, assistant_id }: Session) => [
    keys.byUser(tenant_id, user_id),
    keys.byAssistant(tenant_id, assistant_id),
  ]

  async function readAll(session_ids: readonly string[]): Promise<(Session | undefined)[]> {
    const found = await run((redis) => {
      const pipeline = redis.pipeline()
      for (const id of session_ids) pipeline.hget(keys.of(id)[0], 'session')
      return settle(pipeline)
    })
    return found.map((text) =>
      typeof text === 'string' ? (readJson(text) as unknown as Session) : undefined,
    )
  }

  async function find(key: string, fits: (session: Session) => boolean, count: number) {
    const found: Session[] = []
    const gone: string[] = []
    for (let from = 0; found.length < count; from += chunk) {
      const ids = await run((redis) => redis.zrevrange(key, from, from + chunk - 1))
      if (ids.length === 0) break
      for (const [at, session] of (await readAll(ids)).entries()) {
        if (session && fits(session)) found.push(session)
        else gone.push(ids[at]!)
      }
    }
    if (gone.length > 0) await run((redis) => redis.zrem(key, ...gone))
    return found.sort(latestFirst)
  }

  return {
    async enter({ session_id, tenant_id, user_id, last_active }, max) {
      const key = keys.byUser(tenant_id, user_id)
      const args = [session_id, last_active, max, lifetimes * ttlMs]
      const isOwn = (session: Session) => session.tenant_id === tenant_id
      for (;;) {
        if ((await runOnKeys(connection, enterScript, [key], args)) === 1) return true
        // Some may be gone by themselves: they are taken out, and it is asked again.
        if ((await find(key, isOwn, Infinity)).length >= max) return false
      }
    },

    async place(session, before) {
      const { session_id, last_active } = session
      await run((redis) => {
        const pipeline = redis.pipeline()
        for (const key of before ? keysOf(before) : []) {
          if (!keysOf(session).includes(key)) pipeline.zrem(key, session_id)
        }
        for (const key of keysOf(session)) {
          pipeline.zadd(key, 'GT', last_active, session_id)
          pipeline.pexpire(key, lifetimes * ttlMs)
        }
        pipeline.zadd(keys.byActivity, 'GT', last_active, session_id)
        return settle(pipeline)
      })
    },

    async remove(session_id, session) {
      await run((redis) => {
        const pipeline = redis.pipeline().zrem(keys.byActivity, session_id)
        for (const key of session ? keysOf(session) : []) pipeline.zrem(key, session_id)
        return settle(pipeline)
      })
    },

    find,

    oldest: (before, limit) =>
      run((redis) => redis.zrangebyscore(keys.byActivity, '-inf', `(${before}`, 'LIMIT', 0, limit)),
  }
}

/** The replies, or the first error: not all of them may have run then. */
async function settle(pipeline: ChainableCommander): Promise<unknown[]> {
  const replies = (await pipeline.exec()) ?? []
  return replies.map(([error, reply]) => {
    if (error) throw error
    return reply
  })
}

function latestFirst(a: Session, b: Session): number {
  return b.last_active - a.last_active || (a.session_id < b.session_id ? -1 : 1)
}
