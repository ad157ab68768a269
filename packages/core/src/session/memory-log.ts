import { AppError } from '@dataagent/schema'
import type { LogEntry, SessionLog } from './contract.ts'

/** The same limits as in a database, so that what works here works there. */
const maxEventLength = 4 * 1024 * 1024
const maxEntries = 4_000
const maxReadBytes = 8 * 1024 * 1024

/** The logs of sessions that are kept in memory: `kept` is whose there are. */
export function createMemoryLog(
  kept: ReadonlyMap<string, { events: { kind: string; json: string }[] }>,
): SessionLog {
  const slice = (session_id: string, from: number, to?: number) => {
    const events = kept.get(session_id)?.events ?? []
    const first = Math.max(0, from < 0 ? events.length + from : from)
    return events.slice(first, to).map((event, at) => ({ seq: first + at + 1, ...event }))
  }
  const tail = (session_id: string, limit: number) => {
    const newestFirst = slice(session_id, -limit).reverse()
    return newestFirst.slice(0, countWithin(newestFirst)).reverse()
  }

  return {
    async append(session_id, entries, { after } = {}) {
      checkEntries(entries)
      const log = kept.get(session_id)?.events
      if (log === undefined) throw new AppError('not_found', `there is no session ${session_id}`)
      const head = log.length
      if (after !== undefined && after !== head) throw movedOn(session_id, { after, head })
      for (const { kind, json } of entries) log.push({ kind, json })
      return { first: head + 1, last: log.length }
    },
    tail: async (session_id, limit) => (limit > 0 ? tail(session_id, limit) : []),
    async read(session_id, { after, limit }) {
      const rows = slice(session_id, after, after + limit)
      return rows.slice(0, countWithin(rows))
    },
    head: async (session_id) => kept.get(session_id)?.events.length ?? 0,
  }
}

/** How many one read gives. */
function countWithin(rows: readonly LogEntry[]): number {
  let bytes = 0
  const last = rows.findIndex(({ json }) => {
    bytes += Buffer.byteLength(json)
    return bytes >= maxReadBytes
  })
  return last === -1 ? rows.length : last + 1
}

function checkEntries(entries: readonly LogEntry[]): void {
  if (entries.length === 0) throw new AppError('invalid_request', 'there is nothing to append')
  const isTooLarge =
    entries.length > maxEntries || entries.some(({ json }) => json.length > maxEventLength)
  if (!isTooLarge) return
  throw new AppError(
    'too_large',
    `an append has at most ${maxEntries} events of at most ${maxEventLength} characters`,
  )
}

function movedOn(session_id: string, data: { after: number; head: number }): AppError {
  return new AppError('conflict', `the log of session ${session_id} has gone on`, { data })
}
