import { toChart } from './chart.ts'
import type { BenchRecord } from './record.ts'
import { toComparisons, toSizes } from './result.ts'
import { toFigures } from './stats.ts'

const head = [
  '# Measured figures',
  '',
  'Written by `npm run bench`; do not edit. What was wanted, and why a figure is short, is in',
  '[benchmarks](../benchmarks.md). Each ratio is the median over rounds in which the subject and',
  'what it is compared with took turns: below 1 is less. Machines differ and are noisy, which the',
  'ratio takes out and the absolute value does not; all values are in [results.json](results.json).',
  '',
].join('\n')

/** The figures of all benchmarks as one page in Markdown, with a chart of each. */
export function toPage(benches: readonly BenchRecord[]): string {
  return [head, toTable(benches), ...benches.map(toSection)].join('\n')
}

function toTable(benches: readonly BenchRecord[]): string {
  const rows = benches.flatMap((bench) =>
    toComparisons(bench).map((row) =>
      toRow([
        ...[`[${row.bench}](#${row.bench})`, row.subject, row.figure, row.baseline],
        ...[row.ratios.map(({ ratio }) => toFigures(ratio)).join(' / '), toSizes(row)],
      ]),
    ),
  )
  const heading = ['bench', 'subject', 'figure', 'compared with', 'ratio', 'sizes']
  return `${[toRow(heading), toRow(heading.map(() => '---')), ...rows].join('\n')}\n`
}

function toSection(record: BenchRecord): string {
  const { bench, description, measured_on, node, cores, results } = record
  const image = `![Ratios of ${bench}](${bench}.svg)\n\n`
  const where = `${measured_on}, Node ${node.slice(1)}, ${cores} cores, ${results[0]?.n ?? 0} rounds.`
  return `## ${bench}\n\n${description}. ${where}\n\n${toChart(record) === undefined ? '' : image}`
}

const toRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
