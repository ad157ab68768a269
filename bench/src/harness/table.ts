import { alignColumns } from './columns.ts'
import type { Measured } from './measure.ts'
import { metricsOf, ratioOf } from './result.ts'
import { median, quantile, toFigures } from './stats.ts'

const heading = ['subject', 'figure', 'median', 'middle half', 'unit', '× baseline']

/** The figures at one size as aligned text. */
export function toTable(measured: readonly Measured[], size: number): string {
  const rows = measured.flatMap((own) => rowsOf(own, measured))
  const lines = alignColumns([heading, ...rows])
  return ['', ...(size === 0 ? [] : [`size ${size}`]), ...lines].join('\n')
}

function rowsOf(own: Measured, all: readonly Measured[]): string[][] {
  const base = all.find((other) => other.subject.name === own.subject.baseline)
  return metricsOf(own).map((metric, index) => {
    const values = own.samples.map(metric.of)
    const ratio = base && ratioOf(own, base, metric)
    return [
      index === 0 ? own.subject.name : '',
      metric.name,
      toFigures(median(values)),
      `${toFigures(quantile(values, 0.25))}–${toFigures(quantile(values, 0.75))}`,
      metric.unit,
      typeof ratio === 'number' ? `${toFigures(ratio)} (${base?.subject.name})` : '',
    ]
  })
}
