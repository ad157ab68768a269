import { type LoggedEntry, readPages, type SessionLog } from '@dataagent/core'

const pageSize = 200

/** A session's log from its beginning, or after a seq, page by page. */
export function readLog(
  log: Pick<SessionLog, 'read'>,
  session_id: string,
  from = 0,
): AsyncGenerator<LoggedEntry[]> {
  return readPages(log, session_id, { after: from, limit: pageSize })
}
