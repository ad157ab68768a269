import {
  dataPlanSchema,
  dataQueriesPageSchema,
  dataQueriesQuerySchema,
  dataQueryCreateSchema,
  dataQueryLogPageSchema,
  dataQueryLogQuerySchema,
  dataRowsPageSchema,
  dataRowsQuerySchema,
  type QueryRow,
  queryResultSchema,
  sessionSchema,
  workspaceSourceId,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import type { Principal } from '../identity/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import type { AskSources } from './data-run.ts'
import { dataOf } from './data-view.ts'
import { openPage } from './open-page.ts'
import { findSession } from './sessions-view.ts'

const params = queryResultSchema.pick({ query_id: true }).strict()
const all = '/data/queries'
const one = `${all}/:query_id`
const acts = { tag: 'data', access: 'user' } as const

/** Queries that people and agents have run, and their rows. */
export function dataQueryRoutes(platform: GetPlatform, { run, explain }: AskSources): Route[] {
  return [
    defineRoute({
      ...{ ...acts, method: 'POST', path: all, status: 201, creates: true, isLong: true },
      summary: 'Runs one SELECT on a source, and gives its first rows.',
      ...{ body: dataQueryCreateSchema, answer: queryResultSchema },
      handle: ({ principal, body: { session_id, ...query }, signal }) =>
        run({ principal, signal, session_id }, query),
    }),
    defineRoute({
      ...{ ...acts, method: 'GET', path: one, summary: 'A query of yours with its first rows.' },
      ...{ params, answer: queryResultSchema },
      handle: ({ principal, params: { query_id }, signal }) =>
        dataOf(platform(), principal).queries.get({ principal, signal }, query_id),
    }),
    rowsRoute(platform),
    defineRoute({
      ...{ ...acts, method: 'GET', path: `${one}/plan`, isLong: true },
      summary: 'How its source would run a query of yours, as EXPLAIN tells it.',
      ...{ params, answer: dataPlanSchema },
      handle: ({ principal, params: { query_id }, signal }) =>
        explain({ principal, signal }, query_id),
    }),
    sessionRoute(platform),
    logRoute(platform),
  ]
}

function rowsRoute(platform: GetPlatform): Route {
  return defineRoute({
    ...{ ...acts, method: 'GET', path: `${one}/rows`, asIs: true },
    summary: 'Rows of a query, as many as are kept.',
    ...{ params, query: dataRowsQuerySchema, answer: dataRowsPageSchema },
    async handle({ principal, params: { query_id }, query: page, signal }) {
      const { queries } = dataOf(platform(), principal)
      const {
        columns,
        kept_rows: total,
        row_count,
      } = await queries.get({ principal, signal }, query_id)
      const rows = await queries.rows({ principal, signal }, query_id, page)
      return { columns, rows, row_count, ...page, total }
    },
  })
}

function sessionRoute(platform: GetPlatform): Route {
  return defineRoute({
    ...{ ...acts, method: 'GET', path: '/sessions/:session_id/queries' },
    summary: 'The queries of a session of yours that gave rows, in their order.',
    params: sessionSchema.pick({ session_id: true }).strict(),
    ...{ query: dataQueriesQuerySchema, answer: dataQueriesPageSchema },
    async handle({ principal, params: { session_id }, query: { limit, offset, brief } }) {
      await findSession(platform(), principal, session_id)
      const found = await dataOf(platform(), principal).queries.list({ principal, session_id })
      const page = found.slice(offset, offset + limit)
      const queries = brief === 'true' ? page.map((query) => ({ ...query, rows: [] })) : page
      return { queries, limit, offset, total: found.length }
    },
  })
}

function logRoute(platform: GetPlatform): Route {
  return defineRoute({
    ...{ method: 'GET', path: all, tag: 'data', access: 'auditor' },
    summary: 'What was asked in your organisation and by whom, the newest first.',
    ...{ query: dataQueryLogQuerySchema, answer: dataQueryLogPageSchema },
    async handle({ principal, query: { limit, offset, ...filter } }) {
      dataOf(platform(), principal)
      const { queries } = platform().tables.data
      const { rows, ...page } = await openPage({ limit, offset }, (part) =>
        queries.list(principal.tenant_id, { ...filter, ...part }),
      )
      return { queries: rows.map((row) => toEntry(row, principal)), ...page }
    },
  })
}

const untold = 'Why it failed is told to nobody else: it asked their own files.'

/** What was asked of a person's own files, and why that failed, may have values of them. */
function toEntry(row: QueryRow, by: Principal) {
  const { query_id, user_id, source_id, source_name, row_count, elapsed_ms } = row
  const { as_of, verified_question_id, scope_id } = row
  const isOthersOwn = source_id === workspaceSourceId && user_id !== by.user_id
  const { sql, purpose } = isOthersOwn ? { sql: null, purpose: null } : row
  const error = row.error !== null && isOthersOwn ? untold : row.error
  return {
    ...{ query_id, user_id, source_id, source_name, sql, purpose, row_count, elapsed_ms },
    ...{ as_of, error, verified_question_id, ref: `q${row.number}` },
    // What was run in no session is of `user:<id>`, which no session can have as its id.
    session_id: scope_id.startsWith('user:') ? null : scope_id,
  }
}
