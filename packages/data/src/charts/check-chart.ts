import type { ChartSpec, DataColumn } from '@dataagent/schema'
import { nearestNames } from './nearest-names.ts'
import { isNumeric } from './numbers.ts'
import { isTime } from './times.ts'

/**
 * What keeps a chart from fitting a result, in sentences that a model can act on; none where it
 * fits. Settings that do not concern the type (`horizontal` of a line) are no fault. `rowCount` is
 * how many rows there are to draw, where that is known.
 */
export function checkChart(
  spec: ChartSpec,
  columns: readonly DataColumn[],
  rowCount?: number,
): string[] {
  const problems = [...missing(spec, columns), ...repeated(spec, columns)]
  if (problems.length > 0) return problems
  return [
    ...roles(spec),
    ...measures(spec, columns),
    ...axes(spec, columns),
    ...numberFaults(spec, rowCount),
    ...formatFaults(spec),
  ]
}

function namesOf({ x, y, series }: ChartSpec): string[] {
  return [...(x === undefined ? [] : [x]), ...y, ...(series === undefined ? [] : [series])]
}

function missing(spec: ChartSpec, columns: readonly DataColumn[]): string[] {
  const names = columns.map(({ name }) => name)
  const unknown = new Set(namesOf(spec).filter((name) => !names.includes(name)))
  return [...unknown].map((name) =>
    names.length === 0
      ? `The result has no column "${name}": it has no columns at all.`
      : `The result has no column "${name}". The nearest are ${quote(nearestNames(name, names))}.`,
  )
}

function repeated(spec: ChartSpec, columns: readonly DataColumn[]): string[] {
  const names = new Set(namesOf(spec))
  const twice = columns.filter(
    ({ name }, i) => names.has(name) && columns.findIndex((other) => other.name === name) < i,
  )
  return [...new Set(twice.map(({ name }) => name))].map(
    (name) =>
      `The result has more than one column "${name}": give each a name of its own with AS, and run the query again.`,
  )
}

function roles({ type, x, y, series }: ChartSpec): string[] {
  const problems: string[] = []
  const single = type === 'pie' || type === 'number' || type === 'heatmap'
  if (single && y.length > 1) problems.push(`A ${type} chart shows one measure: give y one column.`)
  if (type !== 'number' && x === undefined) {
    problems.push(`A ${type} chart needs x: the column of its categories or of time.`)
  }
  if (type === 'heatmap' && series === undefined) {
    problems.push('A heatmap chart needs series: the column of its rows, besides x and y.')
  }
  if (series !== undefined && y.length > 1) {
    problems.push('series splits one measure: give y one column, or leave series out.')
  }
  if (series !== undefined && (series === x || y.includes(series))) {
    problems.push(`series must be another column than x and y: "${series}" is used twice.`)
  }
  if (x !== undefined && type !== 'scatter' && y.includes(x)) {
    problems.push(`x and y must be different columns: "${x}" is both.`)
  }
  if (new Set(y).size < y.length) problems.push('y names a column twice.')
  return problems
}

function measures({ y }: ChartSpec, columns: readonly DataColumn[]): string[] {
  const numeric = columns.filter(({ kind }) => isNumeric(kind)).map(({ name }) => name)
  const others =
    numeric.length === 0
      ? 'The result has no numeric column: compute one in the query, such as COUNT(*) or SUM(...).'
      : `Numeric columns are ${quote(numeric.slice(0, 8))}.`
  return columns
    .filter(({ name, kind }) => y.includes(name) && !isNumeric(kind))
    .map(({ name, kind }) => `y must be numeric, and "${name}" is of kind ${kind}. ${others}`)
}

function axes({ type, x, series }: ChartSpec, columns: readonly DataColumn[]): string[] {
  const problems: string[] = []
  const kindOf = (name: string) => columns.find((column) => column.name === name)?.kind ?? 'other'
  for (const name of [x, series]) {
    if (name === undefined) continue
    const kind = kindOf(name)
    if (kind === 'json' || kind === 'bytes') {
      problems.push(`"${name}" is of kind ${kind} and cannot be an axis or a series.`)
    }
  }
  if (type === 'scatter' && x !== undefined && !isNumeric(kindOf(x)) && !isTime(kindOf(x))) {
    problems.push(
      `x of a scatter chart must be a number or a time, and "${x}" is of kind ${kindOf(x)}. For categories use a bar chart.`,
    )
  }
  return problems
}

function numberFaults({ type }: ChartSpec, rows: number | undefined): string[] {
  if (type !== 'number' || rows === undefined || rows === 1) return []
  return [
    `A number chart shows one value, and the result has ${rows} rows: aggregate in the query (SUM, COUNT, AVG, MAX) so that it gives one row, or choose a bar or line chart.`,
  ]
}

function formatFaults({ format }: ChartSpec): string[] {
  if (format?.style !== 'currency' || format.currency !== undefined) return []
  return ['A format of style currency needs currency: a code such as "CNY" or "USD".']
}

function quote(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
