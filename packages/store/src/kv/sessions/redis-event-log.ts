import { AppError } from '@dataagent/schema'
import { readBytesMax } from '../../read-bytes.ts'
import type { EventEntry, EventLog, LoggedEvent } from '../../sql/index.ts'
import type { RedisConnection } from '../redis-connection.ts'
import type { SessionKeys } from './session-keys.ts'
import { appendScript, readScript, runOnKeys } from './session-scripts.ts'

export interface RedisSessionPart {
  connection: RedisConnection
  keys: SessionKeys
  ttlMs: number
}

/** What an SQL store takes too, so that a log can move there. */
const lengthMax = 4 * 1024 * 1024
const entriesMax = 4_000

/** The logs of sessions in Redis; an append is one script, so that it is whole or not there. */
export function createRedisEventLog({ connection, keys, ttlMs }: RedisSessionPart): EventLog {
  /** As far as one read goes. */
  async function readFrom(session_id: string, first: number, last: number): Promise<LoggedEvent[]> {
    const args = [first, last, readBytesMax]
    const found = (await runOnKeys(connection, readScript, keys.of(session_id), args)) as string[]
    const step = first <= last ? 1 : -1
    return found.map((text, at) => unpack(text, first + at * step + 1))
  }

  const head = (session_id: string) => connection.run((redis) => redis.llen(keys.of(session_id)[1]))

  return {
    async append(session_id, entries, { after } = {}) {
      checkSize(entries)
      const args = [after ?? '', ttlMs, ...entries.map(pack)]
      const reply = await runOnKeys(connection, appendScript, keys.of(session_id), args)
      const [verdict, seq = 0] = reply as [number, number?]
      if (verdict === 1) return { first: seq - entries.length + 1, last: seq }
      throw toRefusal(session_id, { verdict, after, head: seq })
    },

    async tail(session_id, limit) {
      if (limit <= 0) return []
      // The log may grow in between: what is read is then not its end, but has its right places.
      const size = await head(session_id)
      if (size === 0) return []
      const newestFirst = await readFrom(session_id, size - 1, Math.max(0, size - limit))
      return newestFirst.reverse()
    },

    read: async (session_id, { after, limit }) =>
      limit <= 0 ? [] : readFrom(session_id, after, after + limit - 1),

    head,
  }
}

/** A kind has no line break. */
function pack({ kind, json }: EventEntry): string {
  return `${kind}\n${json}`
}

function unpack(text: string, seq: number): LoggedEvent {
  const end = text.indexOf('\n')
  return { seq, kind: text.slice(0, end), json: text.slice(end + 1) }
}

function checkSize(entries: readonly EventEntry[]): void {
  if (entries.length === 0) throw new AppError('invalid_request', 'there is nothing to append')
  const longest = Math.max(...entries.map(({ json }) => json.length))
  if (entries.length <= entriesMax && longest <= lengthMax) return
  const message = `an append of ${entries.length} events, of at most ${longest} characters`
  const data = { entries: entriesMax, characters: lengthMax }
  throw new AppError('too_large', `${message}, is over the limit`, { data })
}

function toRefusal(
  session_id: string,
  { verdict, ...data }: { verdict: number; after: number | undefined; head: number },
): AppError {
  if (verdict === 0) {
    const message = `session ${session_id} has gone on: read its events and try again`
    return new AppError('conflict', message, { data })
  }
  if (verdict === -1) return new AppError('not_found', `there is no session ${session_id}`)
  const why = 'Redis has dropped its log: set maxmemory-policy to noeviction'
  return new AppError('internal', `session ${session_id} cannot go on: ${why}`)
}
