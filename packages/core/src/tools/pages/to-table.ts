import type { PageElement } from './page-dom.ts'

const mostCells = 20_000

/** A table in the Markdown of GitHub; undefined for one that only arranges the page. */
export function toTable(table: PageElement): string | undefined {
  if (table.querySelectorAll('table').length > 0) return undefined
  const rows = Array.from(table.querySelectorAll('tr'), (row) =>
    Array.from(row.querySelectorAll('th, td'), toCell),
  )
  const width = Math.max(0, ...rows.map((row) => row.length))
  if (rows.length < 2 || width < 2 || rows.length * width > mostCells) return undefined
  const [head = [], ...rest] = rows.filter((row) => row.length > 0)
  const rule = Array.from({ length: width }, () => '---')
  return `\n\n${[head, rule, ...rest].map((row) => toRow(row, width)).join('\n')}\n\n`
}

function toRow(cells: readonly string[], width: number): string {
  const whole = Array.from({ length: width }, (_, at) => cells[at] ?? '')
  return `| ${whole.join(' | ')} |`
}

function toCell(cell: PageElement): string {
  return (cell.textContent ?? '').replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')
}
