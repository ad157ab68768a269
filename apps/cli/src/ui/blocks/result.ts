import type { Look } from '../look.ts'
import { renderTable } from '../table/render-table.ts'
import {
  type Extent,
  joined,
  type Rendered,
  renderLong,
  renderMore,
  unfolded,
  wholeMax,
} from './rendered.ts'
import type { ResultPart } from './result-parts.ts'

const partsShown = 3
const linesShown = 4
const rowsShown = 8

/** What a tool gave, below the line of its call. */
export function renderResult(
  parts: readonly ResultPart[],
  look: Look,
  width: number,
  extent: Extent,
): Rendered {
  const limit = extent === 'whole' || parts.length <= partsShown + 1 ? wholeMax : partsShown
  const shown = parts.slice(0, limit).map((part) => renderPart(part, look, width, extent))
  const left = parts.length - shown.length
  if (left === 0) return joined(shown)
  const more = unfolded([renderMore(left, 'part', { extent, look, width })])
  return { ...joined([...shown, more]), isFolded: extent === 'short' }
}

function renderPart(part: ResultPart, look: Look, width: number, extent: Extent): Rendered {
  if (part.kind === 'text') {
    const options = { extent, keep: linesShown, paint: look.theme.dim }
    return renderLong(part.text, options, look, width)
  }
  const { table, count } = part
  const keep = extent === 'whole' || count <= rowsShown + 1 ? wholeMax : rowsShown
  const rows = table.rows.slice(0, keep)
  const lines = renderTable({ ...table, rows }, look, width)
  const left = count - rows.length
  if (left === 0) return unfolded(lines)
  const more = renderMore(left, 'row', { extent, look, width })
  return { lines: [...lines, more], isFolded: extent === 'short' }
}
