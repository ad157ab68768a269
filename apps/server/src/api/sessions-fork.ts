import { createTurnSaver, type LoggedEntry, type SessionLog, withServersOff } from '@dataagent/core'
import { isPlainObject, parseJson, type Session, type SessionFork } from '@dataagent/schema'
import type { Platform } from '../platform/index.ts'
import { readLog } from './sessions-log.ts'
import { titleOf, withTitle } from './sessions-view.ts'

const titleMax = 200
/** A database takes an append as one packet: 16 MiB in UTF-8 at most. */
const appendLengthMax = 4 * 1024 * 1024
/** The id of a query. Blocks, citations and what tools said all name queries by theirs. */
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/**
 * A new session of the same user whose log is a copy of the source's. It ends where a run does: the
 * one that `through_seq` is in is copied whole, one that is still under way is not. It does without
 * the same servers, and has queries of its own by the same numbers. Either all of it is there, or
 * nothing of it stays.
 */
export async function forkSession(
  { sessions, stores, data }: Platform,
  source: Session,
  { through_seq, title = nextTitle(titleOf(source)), signal }: Fork,
): Promise<Session> {
  const { tenant_id, user_id, assistant_id } = source
  const { session_id } = await sessions.getOrCreateSession({ tenant_id, user_id, assistant_id })
  try {
    const { last, before } = await findCut(stores.events, source.session_id, through_seq)
    const scopes = { from: source.session_id, to: session_id, before }
    const context = { principal: source, signal }
    const queries = (await data?.queries.copySession(context, scopes)) ?? new Map()
    for await (const entries of upTo(last, readLog(stores.events, source.session_id))) {
      const copies = entries.map((entry) => toCopy(entry, { session_id, queries }))
      for (const part of toAppends(copies)) await stores.events.append(session_id, part)
    }
    const { events: log, messages } = stores
    await createTurnSaver({ log, messages }).save(session_id)
    return await stores.sessions.update(tenant_id, session_id, (fork) => ({
      metadata: { ...withTitle(fork, title), forked_from: source.session_id },
      state: withServersOff(fork.state, source.state.servers_off ?? []),
    }))
  } catch (error) {
    await sessions.deleteSession({ tenant_id, user_id }, session_id).catch(() => {})
    throw error
  }
}

interface Fork extends SessionFork {
  /** Of whoever waits for it. */
  signal: AbortSignal
}

interface Cut {
  /** The last event that is copied; 0 where there is none. */
  last: number
  /** When what comes after it began. */
  before: number | undefined
}

/** Behind the run that `through_seq` is in, or the last one that has ended. */
async function findCut(log: SessionLog, session_id: string, through_seq = Infinity): Promise<Cut> {
  let cut: Cut = { last: 0, before: undefined }
  for await (const page of readLog(log, session_id)) {
    for (const entry of page) {
      cut.before ??= timeOf(entry)
      if (cut.last >= through_seq) return cut
      if (endsRun(entry)) cut = { last: entry.seq, before: undefined }
    }
  }
  return cut
}

async function* upTo(last: number, pages: AsyncIterable<LoggedEntry[]>) {
  for await (const page of pages) {
    const wanted = page.filter(({ seq }) => seq <= last)
    if (wanted.length > 0) yield wanted
    if (wanted.length < page.length) return
  }
}

function timeOf({ json }: LoggedEntry): number | undefined {
  const event = parseJson(json)
  return isPlainObject(event) && typeof event.timestamp === 'number' ? event.timestamp : undefined
}

/** A sub-agent's end is not that of the run. */
function endsRun({ kind, json }: LoggedEntry): boolean {
  if (kind !== 'done') return false
  const event = parseJson(json)
  return isPlainObject(event) && !Object.hasOwn(event, 'parent_tool_call_id')
}

interface Copy {
  session_id: string
  /** Those of the copy by those of the source. */
  queries: ReadonlyMap<string, string>
}

/** The log begins at 1 and has no gaps, so that each event keeps its place. */
function toCopy({ kind, json }: LoggedEntry, { session_id, queries }: Copy) {
  const renamed = json.replaceAll(uuid, (id) => queries.get(id) ?? id)
  const event = parseJson(renamed) as object
  return { kind, json: JSON.stringify({ ...event, session_id }) }
}

/** As few appends as are small enough; an event that is larger by itself is one. */
function* toAppends<T extends { json: string }>(entries: readonly T[]): Generator<T[]> {
  let part: T[] = []
  let length = 0
  for (const entry of entries) {
    if (part.length > 0 && length + entry.json.length > appendLengthMax) {
      yield part
      part = []
      length = 0
    }
    part.push(entry)
    length += entry.json.length
  }
  if (part.length > 0) yield part
}

/** "Plan", "Plan (2)", "Plan (3)"; a session without a title has copies without one. */
function nextTitle(title: string | undefined): string {
  if (title === undefined) return ''
  const [, start = title, count = '1'] = /^(.*) \((\d{1,6})\)$/s.exec(title) ?? []
  const end = ` (${Number(count) + 1})`
  return `${start.slice(0, titleMax - end.length)}${end}`
}
