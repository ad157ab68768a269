import type { LoggedEntry, SessionLog } from '@dataagent/core'

const pageSize = 200

/** A session's log from its beginning, or after a seq, page by page. */
export async function* readLog(
  log: Pick<SessionLog, 'read'>,
  session_id: string,
  from = 0,
): AsyncGenerator<LoggedEntry[]> {
  for (let after = from; ; ) {
    const page = await log.read(session_id, { after, limit: pageSize })
    if (page.length > 0) yield page
    if (page.length < pageSize) return
    after = page.at(-1)?.seq ?? after
  }
}
