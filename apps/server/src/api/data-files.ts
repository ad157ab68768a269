import { Readable } from 'node:stream'
import {
  AppError,
  type ChartSpec,
  chartSpecSchema,
  type DataExportQuery,
  dataChartQuerySchema,
  dataExportQuerySchema,
  parseAs,
  parseJson,
  type QueryResult,
  queryResultSchema,
} from '@dataagent/schema'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Call, defineRoute, type Route } from '../deps/index.ts'
import type { DataRoom, GetPlatform } from '../platform/index.ts'
import { dataOf } from './data-view.ts'

const params = queryResultSchema.pick({ query_id: true }).strict()
const one = '/data/queries/:query_id'
const acts = { method: 'GET', tag: 'data', access: 'user' } as const
/** A page that opens it can neither run nor load anything. */
const filePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
/** Drawn while others wait for the same process. */
const drawnMax = 20_000
const specSchema = z.strictObject(chartSpecSchema.shape)

/** What a query gave as a file: its rows, or a picture of them. */
export function dataFileRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ ...acts, path: `${one}/export`, params, query: dataExportQuerySchema },
      summary: 'The rows of a query that are kept, as CSV or as an Excel workbook.',
      raw: { produces: Object.values(kinds).join(', ') },
      async handle({ principal, params: { query_id }, query: { format }, reply, signal }) {
        const { queries } = dataOf(platform(), principal)
        const query = await queries.get({ principal, signal }, query_id)
        return sendExport({ queries, query, format }, { principal, reply, signal })
      },
    }),
    defineRoute({
      ...{ ...acts, path: `${one}/chart.svg`, params, query: dataChartQuerySchema },
      summary: 'A chart of a query, as an SVG image.',
      raw: { produces: 'image/svg+xml' },
      async handle({ principal, params: { query_id }, query: { spec, ...looks }, reply, signal }) {
        const { queries } = dataOf(platform(), principal)
        const chart: ChartSpec = parseAs(specSchema, parseJson(spec), 'spec')
        const query = await queries.get({ principal, signal }, query_id)
        await requireFit(chart, query)
        const page = { offset: 0, limit: drawnMax }
        const rows = await queries.rows({ principal, signal }, query_id, page)
        const { toChartSvg } = await import('@dataagent/data')
        const svg = await toChartSvg({ spec: chart, columns: query.columns, rows, ...looks })
        return reply
          .type('image/svg+xml; charset=utf-8')
          .header('content-security-policy', filePolicy)
          .send(svg)
      },
    }),
  ]
}

async function requireFit(chart: ChartSpec, { columns, kept_rows }: QueryResult): Promise<void> {
  if (kept_rows > drawnMax) {
    const told = `A chart is drawn of at most ${drawnMax} rows, and these are ${kept_rows}.`
    throw new AppError('too_large', `${told} Aggregate them in SQL.`)
  }
  const { checkChart } = await import('@dataagent/data')
  const faults = checkChart(chart, columns, kept_rows)
  if (faults.length > 0) throw new AppError('invalid_request', faults.join(' '))
}

const kinds = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

async function sendExport(
  { queries, query, format }: Pick<DataRoom, 'queries'> & { query: QueryResult } & DataExportQuery,
  { principal, reply, signal }: Pick<Call, 'principal' | 'reply' | 'signal'>,
): Promise<FastifyReply> {
  const { writeCsv, writeXlsx } = await import('@dataagent/data')
  const { query_id, ref, columns } = query
  const result = { columns, batches: queries.stream({ principal, signal }, query_id) }
  const bytes =
    format === 'csv' ? writeCsv(result, { bom: true, signal }) : writeXlsx(result, { signal })
  const name = `${ref}-${query_id.slice(0, 8)}.${format}`
  const content = await begun(bytes)
  return reply
    .type(format === 'csv' ? `${kinds.csv}; charset=utf-8` : kinds[format])
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('content-security-policy', filePolicy)
    .send(Readable.from(content))
}

/** The same, its first piece made already: what fails until then is answered as an error. */
async function begun(bytes: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = bytes[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* { [Symbol.asyncIterator]: () => iterator }
  })()
}
