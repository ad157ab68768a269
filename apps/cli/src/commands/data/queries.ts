import { isClientError } from '@dataagent/client'
import type { ChartSpec, DataRow, QueryResult } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import { readEventsBetween } from '../events-between.ts'
import { unknownQuery } from './words.ts'

const pageSize = 1_000
const queriesPage = 200

/** Those of the session, in their order, without their rows; without a session there are none. */
export async function listQueries(app: App, signal = app.signal): Promise<QueryResult[]> {
  if (app.session === undefined) return []
  const { session_id } = app.session
  const { client } = await app.link()
  const found: QueryResult[] = []
  for (;;) {
    const asked = { limit: queriesPage, offset: found.length, brief: 'true' } as const
    const { queries, total } = await client.data.ofSession(session_id, asked, { signal })
    found.push(...queries)
    if (queries.length === 0 || found.length >= total) return found
  }
}

/** By its number; undefined where there is none, which was told. */
export async function findQuery(ref: string, app: App): Promise<QueryResult | undefined> {
  const found = (await listQueries(app)).find((query) => query.ref === ref) ?? (await byId())
  if (found === undefined) app.tell('warn', unknownQuery(ref)[app.lang])
  return found

  /** Who asks without a session has numbers of their own. */
  async function byId(): Promise<QueryResult | undefined> {
    if (app.session !== undefined) return undefined
    const { client } = await app.link()
    try {
      return await client.data.query(ref, { signal: app.signal })
    } catch (error) {
      if (isClientError(error, 'not_found')) return undefined
      throw error
    }
  }
}

/** The first rows of those that are kept. */
export async function readRows(
  { query_id }: QueryResult,
  most: number,
  app: App,
): Promise<DataRow[]> {
  const { client } = await app.link()
  const rows: DataRow[] = []
  while (rows.length < most) {
    const limit = Math.min(pageSize, most - rows.length)
    const query = { limit, offset: rows.length }
    const page = await client.data.rows(query_id, query, { signal: app.signal })
    rows.push(...page.rows)
    if (page.rows.length === 0 || rows.length >= page.total) break
  }
  return rows
}

const eventsPage = 200
/** Events, from the last one back, that are looked through for a chart. */
const eventsMax = 1_000

/** The chart that was shown of it last, where it was lately. */
export async function findChart(
  { query_id }: QueryResult,
  app: App,
): Promise<ChartSpec | undefined> {
  if (app.session === undefined) return undefined
  const { client } = await app.link()
  const { signal } = app
  const { session_id } = app.session
  const { head } = await client.sessions.events(session_id, { limit: 1 }, { signal })
  for (let after = head; after > Math.max(0, head - eventsMax); after -= eventsPage) {
    const after_seq = Math.max(0, after - eventsPage)
    const between = { session_id, after: after_seq, through: after, signal }
    const events = await readEventsBetween(client, between)
    for (const event of events.toReversed()) {
      if (event.event_type !== 'result_block' || !('block' in event)) continue
      const { block } = event as { block: { kind: string; query_id?: string; chart?: ChartSpec } }
      if (block.kind === 'chart' && block.query_id === query_id) return block.chart
    }
  }
  return undefined
}
