import { toTextChart } from '@dataagent/data/charts'
import type { QueryResult, ResultBlock } from '@dataagent/schema'
import { dotOf, type Look, say } from '../look.ts'
import { toPlainLine } from '../sanitize.ts'
import { renderTable } from '../table/render-table.ts'
import { wrap } from '../width.ts'
import { words } from '../words.ts'
import { renderQuery, toTable } from './query.ts'
import { type Extent, type Rendered, unfolded } from './rendered.ts'

type Of<K extends ResultBlock['kind']> = Extract<ResultBlock, { kind: K }>

/** What a tool shows beside its words; a chart with the query it is of, where that is known. */
export type ShownBlock =
  | Of<'query'>
  | Of<'export'>
  | (Of<'chart'> & { query: QueryResult | undefined })

/** Wider than this a bar says no more. */
const chartWidth = 100

export function renderBlock(
  block: ShownBlock,
  look: Look,
  width: number,
  extent: Extent,
): Rendered {
  switch (block.kind) {
    case 'query':
      return renderQuery(block.query, { extent }, look, width)
    case 'chart':
      return renderChart(block, look, width)
    case 'export':
      return unfolded(renderExport(block, look, width))
  }
}

function renderChart(block: ShownBlock & { kind: 'chart' }, look: Look, width: number): Rendered {
  const { ref, chart, query } = block
  const { theme, lang } = look
  if (query === undefined) {
    return unfolded(wrap(theme.dim(say(look, words.chartOf(ref))), width))
  }
  const { rows, columns, row_count } = query
  // Shades and dots have no like in ASCII; the bars of a table have.
  const lines = theme.isAscii
    ? renderTable(toTable(query), look, width)
    : toTextChart(chart, columns, rows, {
        ...{ width: Math.min(width, chartWidth), language: lang },
      }).split('\n')
  const rest =
    rows.length === row_count
      ? []
      : wrap(theme.dim(say(look, words.chartOfFirst(rows.length, ref))), width)
  return unfolded([...lines, ...rest])
}

function renderExport(block: Of<'export'>, look: Look, width: number): string[] {
  const { path, rows, ref } = block
  const facts = [ref, say(look, words.rows(rows))].join(dotOf(look.theme))
  return wrap(`${toPlainLine(path, 400)}${look.theme.dim(`${dotOf(look.theme)}${facts}`)}`, width)
}
