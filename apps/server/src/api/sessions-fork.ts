import { createTurnSaver, type LoggedEntry, type SessionLog, withServersOff } from '@dataagent/core'
import { isPlainObject, parseJson, type Session, type SessionFork } from '@dataagent/schema'
import type { Platform } from '../platform/index.ts'
import { readLog } from './sessions-log.ts'
import { titleOf, withTitle } from './sessions-view.ts'

/** Events that one append takes. */
const batchSize = 200
const titleMax = 200

/**
 * A new session of the same user whose log is a copy of the source's. It ends where a run does: the
 * one that `through_seq` is in is copied whole, one that is still under way is not. It does without
 * the same servers. Either all of it is there, or nothing of it stays.
 */
export async function forkSession(
  { sessions, stores }: Platform,
  source: Session,
  { through_seq, title = nextTitle(titleOf(source)) }: SessionFork,
): Promise<Session> {
  const { tenant_id, user_id, assistant_id } = source
  const { session_id } = await sessions.getOrCreateSession({ tenant_id, user_id, assistant_id })
  try {
    const runs = endedRuns(stores.events, source.session_id, through_seq)
    for await (const entries of inBatches(runs)) {
      await stores.events.append(
        session_id,
        entries.map((entry) => toCopy(entry, session_id)),
      )
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

/** The events of each run that has ended, up to the one that `through_seq` is in. */
async function* endedRuns(
  log: SessionLog,
  session_id: string,
  through_seq = Infinity,
): AsyncGenerator<LoggedEntry[]> {
  let run: LoggedEntry[] = []
  for await (const page of readLog(log, session_id)) {
    for (const entry of page) {
      run.push(entry)
      if (!endsRun(entry)) continue
      yield run
      run = []
      if (entry.seq >= through_seq) return
    }
  }
}

async function* inBatches(runs: AsyncIterable<LoggedEntry[]>): AsyncGenerator<LoggedEntry[]> {
  const waiting: LoggedEntry[] = []
  for await (const run of runs) {
    waiting.push(...run)
    while (waiting.length >= batchSize) yield waiting.splice(0, batchSize)
  }
  if (waiting.length > 0) yield waiting
}

/** A sub-agent's end is not that of the run. */
function endsRun({ kind, json }: LoggedEntry): boolean {
  if (kind !== 'done') return false
  const event = parseJson(json)
  return isPlainObject(event) && !Object.hasOwn(event, 'parent_tool_call_id')
}

/** The log begins at 1 and has no gaps, so that each event keeps its place. */
function toCopy({ kind, json }: LoggedEntry, session_id: string) {
  const event = parseJson(json) as object
  return { kind, json: JSON.stringify({ ...event, session_id }) }
}

/** "Plan", "Plan (2)", "Plan (3)"; a session without a title has copies without one. */
function nextTitle(title: string | undefined): string {
  if (title === undefined) return ''
  const [, start = title, count = '1'] = /^(.*) \((\d{1,6})\)$/s.exec(title) ?? []
  const end = ` (${Number(count) + 1})`
  return `${start.slice(0, titleMax - end.length)}${end}`
}
