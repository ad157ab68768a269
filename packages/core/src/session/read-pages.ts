import type { LoggedEntry, SessionLog } from './contract.ts'

/** Half of what ends a read early: a shorter page with less than this is the last. */
const surelyLastBytes = 4 * 1024 * 1024

/** A log from behind a seq to its end, page by page: however long it is, little is in memory. */
export async function* readPages(
  log: Pick<SessionLog, 'read'>,
  session_id: string,
  { after, limit }: { after: number; limit: number },
): AsyncGenerator<LoggedEntry[]> {
  for (let from = after; ; ) {
    const page = await log.read(session_id, { after: from, limit })
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    if (page.length < limit && bytesOf(page) < surelyLastBytes) return
    from = last.seq
  }
}

/** The last `count` events of a log, page by page. */
export async function* readLast(
  log: Pick<SessionLog, 'read' | 'head'>,
  session_id: string,
  count: number,
): AsyncGenerator<LoggedEntry[]> {
  const after = Math.max(0, (await log.head(session_id)) - count)
  yield* readPages(log, session_id, { after, limit: count })
}

function bytesOf(page: readonly LoggedEntry[]): number {
  return page.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0)
}
