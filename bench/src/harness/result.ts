import { z } from 'zod'
import { alignColumns } from './columns.ts'
import type { Measured, Sample } from './measure.ts'
import { median, toFigures } from './stats.ts'

/** One figure of a benchmark, as its last line gives it. */
const benchResult = z.strictObject({
  name: z.string().describe('subject, size where there is one, and what was measured'),
  value: z.number().describe('median of the rounds'),
  unit: z.enum(['µs/op', 'op/s', 'µs', 'KB/op']),
  baseline: z.string().nullable().describe('the name of the figure that it is compared with'),
  ratio: z.number().nullable().describe('median over the rounds of value ÷ baseline of that round'),
  n: z.int().positive().describe('rounds'),
})

/** The last line that a benchmark prints. */
export const benchReport = z.strictObject({
  bench: z.string(),
  results: z.array(benchResult).min(1),
})

export type BenchReport = z.infer<typeof benchReport>
export type BenchResult = z.infer<typeof benchResult>

export interface Metric {
  name: string
  unit: BenchResult['unit']
  of(sample: Sample): number
}

const cpu: Metric = { name: 'cpu', unit: 'µs/op', of: (sample) => sample.cpu }
const rate: Metric = { name: 'rate', unit: 'op/s', of: (sample) => 1e6 / sample.wall }
const childCpu: Metric = { name: 'child cpu', unit: 'µs/op', of: (sample) => sample.childCpu }

const stall: Metric = { name: 'longest stall', unit: 'µs', of: (sample) => sample.stall ?? 0 }
const memory: Metric = {
  ...{ name: 'memory', unit: 'KB/op', of: (sample) => (sample.grown ?? 0) / 1024 },
}

/** What is reported of a subject: CPU first, the figure to trust on a noisy machine. */
export function metricsOf({ subject, samples }: Measured): Metric[] {
  const toldStall = samples.some((sample) => sample.stall !== undefined)
  const toldMemory = samples.some((sample) => sample.grown !== undefined)
  return [
    ...[cpu, rate, ...(subject.pids ? [childCpu] : [])],
    ...[...(toldStall ? [stall] : []), ...(toldMemory ? [memory] : [])],
  ]
}

/** The figures of every subject at one size. */
export function toResults(measured: readonly Measured[], size: number): BenchResult[] {
  return measured.flatMap((own) => {
    const base = measured.find((other) => other.subject.name === own.subject.baseline)
    return metricsOf(own).map((metric) => ({
      name: nameOf(own, metric, size),
      value: median(own.samples.map(metric.of)),
      unit: metric.unit,
      baseline: base ? nameOf(base, metric, size) : null,
      ratio: base ? ratioOf(own, base, metric) : null,
      n: own.samples.length,
    }))
  })
}

/**
 * The median of the rounds' ratios; null where the baseline's figure is below what can be measured.
 */
export function ratioOf(own: Measured, base: Measured, metric: Metric): number | null {
  const ratios = own.samples.flatMap((sample, round) => {
    const other = base.samples[round]
    return other && metric.of(other) > 0 ? [metric.of(sample) / metric.of(other)] : []
  })
  return ratios.length === 0 ? null : median(ratios)
}

const figures = [cpu, rate, childCpu, stall, memory].map(({ name }) => name)
const nameParts = new RegExp(`^(.*?)(?: @(\\d+))? (${figures.join('|')})$`)

/** How one subject compares by one figure, size by size. */
export interface Comparison {
  bench: string
  subject: string
  figure: string
  baseline: string
  ratios: { size: number; ratio: number }[]
}

/** What the names of the figures tell, put together again. */
export function toComparisons({ bench, results }: BenchReport): Comparison[] {
  const found = new Map<string, Comparison>()
  for (const { name, baseline, ratio } of results) {
    const [, subject = '', size = '0', figure = ''] = nameParts.exec(name) ?? []
    const [, other = ''] = nameParts.exec(baseline ?? '') ?? []
    if (ratio === null || other === '') continue
    const key = `${subject} ${figure}`
    const known = found.get(key) ?? { bench, subject, figure, baseline: other, ratios: [] }
    known.ratios.push({ size: Number(size), ratio })
    found.set(key, known)
  }
  return [...found.values()]
}

/** Every ratio of every bench in one table, as aligned text. */
export function toOverview(reports: readonly BenchReport[]): string {
  const rows = reports
    .flatMap(toComparisons)
    .map((row) => [
      ...[row.bench, row.subject, row.figure],
      `× ${row.baseline}`,
      ...[row.ratios.map(({ ratio }) => toFigures(ratio)).join(' / '), toSizes(row)],
    ])
  const heading = ['bench', 'subject', 'figure', 'compared with', 'ratio', 'sizes']
  return alignColumns([heading, ...rows]).join('\n')
}

/** The sizes that the ratios are of; nothing where there are none. */
export function toSizes({ ratios }: Comparison): string {
  if (ratios.length === 1 && ratios[0]?.size === 0) return ''
  return ratios.map(({ size }) => size.toLocaleString('en')).join(' / ')
}

function nameOf({ subject }: Measured, metric: Metric, size: number): string {
  return `${subject.name}${size === 0 ? '' : ` @${size}`} ${metric.name}`
}
