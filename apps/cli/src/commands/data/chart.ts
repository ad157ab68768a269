import { suggestChart, toTextChart } from '@dataagent/data/charts'
import type { QueryResult } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import { saveFile, toFolderPath } from '../view/save-file.ts'
import { usageOf } from '../words.ts'
import { parseAsked } from './parse.ts'
import { findChart, findQuery, readRows } from './queries.ts'
import { noChart } from './words.ts'

/** More points than this say no more in a terminal or on a page. */
const rowsMax = 10_000
const widthMax = 100

/** The chart of a query as text, or as a file: the one that was shown, or one that fits. */
export async function runChart(args: string, app: App): Promise<void> {
  const asked = parseAsked(args, ['svg', 'html'])
  if (asked === undefined) return app.tell('warn', usageOf(usage)[app.lang])
  const found = await findQuery(asked.ref, app)
  if (found === undefined) return
  const query = { ...found, rows: await readRows(found, rowsMax, app) }
  const chart = (await findChart(found, app)) ?? suggestChart(query.columns, query.rows)
  if (chart === undefined) return app.tell('info', noChart(found.ref)[app.lang])
  if (asked.save) {
    const { format, file } = asked.save
    const make = format === 'svg' ? fetchSvg : makePage
    return saveFile(app, toFolderPath(file, app.folder), () => make({ query, chart }, app))
  }
  const { lang, screen } = app
  const width = Math.min(screen.columns, widthMax)
  app.say(toTextChart(chart, query.columns, query.rows, { width, language: lang }))
}

const usage = '/chart q1 [--svg FILE | --html FILE]'

interface Drawn {
  query: QueryResult
  chart: NonNullable<ReturnType<typeof suggestChart>>
}

async function fetchSvg({ query, chart }: Drawn, app: App) {
  const { client } = await app.link()
  const looks = { chart, language: app.lang, theme: 'light' } as const
  const { body } = await client.data.chart(query.query_id, looks, { signal: app.signal })
  return body ?? new Blob([]).stream()
}

async function makePage({ query, chart: spec }: Drawn, { lang }: App) {
  const { toPage } = await import('./chart-page.ts')
  const { columns, rows } = query
  return toPage({ spec, columns, rows, language: lang, theme: 'light' })
}
