import { readJson, type Session } from '@dataagent/schema'
import type { MessageRow, Sessions } from '../../sql/index.ts'
import type { RedisSessionPart } from './redis-event-log.ts'
import type { SessionIndex } from './session-index.ts'

/** How far a search goes: a user's latest sessions, and the latest messages of each. */
const sessionsMax = 1_000
const messagesMax = 500
/** Read at once. */
const batch = 20

/** Looks through a user's sessions, of which Redis itself searches none. */
export function createSessionSearch(
  { connection, keys }: RedisSessionPart,
  index: SessionIndex,
): Pick<Sessions, 'search' | 'countFound'> {
  /** The texts of its latest messages. */
  async function readTexts(session_id: string): Promise<string[]> {
    const place = keys.of(session_id)[2]
    const found = await connection.run((redis) => redis.zrevrange(place, 0, messagesMax - 1))
    return found.map((text) => (readJson(text) as unknown as MessageRow).content)
  }

  async function holds({ session_id, metadata }: Session, wanted: string): Promise<boolean> {
    const isHeld = (text: string) => text.toLowerCase().includes(wanted)
    if (typeof metadata.title === 'string' && isHeld(metadata.title)) return true
    return (await readTexts(session_id)).some(isHeld)
  }

  async function find(
    { tenant_id, user_id }: Pick<Session, 'tenant_id' | 'user_id'>,
    text: string,
    count: number,
  ): Promise<Session[]> {
    const fits = (each: Session) => each.tenant_id === tenant_id && each.user_id === user_id
    const all = await index.find(keys.byUser(tenant_id, user_id), fits, sessionsMax)
    const sessions = all.slice(0, sessionsMax)
    const wanted = text.toLowerCase()
    const found: Session[] = []
    for (let from = 0; from < sessions.length && found.length < count; from += batch) {
      const some = sessions.slice(from, from + batch)
      const verdicts = await Promise.all(some.map((session) => holds(session, wanted)))
      found.push(...some.filter((_, at) => verdicts[at]))
    }
    return found
  }

  return {
    async search(tenant_id, user_id, text, { limit, offset }) {
      const found = await find({ tenant_id, user_id }, text, offset + limit)
      return found.slice(offset, offset + limit)
    },
    countFound: async (tenant_id, user_id, text) =>
      (await find({ tenant_id, user_id }, text, Infinity)).length,
  }
}
