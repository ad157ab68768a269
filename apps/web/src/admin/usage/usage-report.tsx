import type { UsageReport } from '@dataagent/schema'
import { Download } from 'lucide-react'
import { toCsv } from '../../results/to-csv.ts'
import { Button } from '../../ui/button.tsx'
import { toDay } from '../../ui/day.ts'
import { Mono } from '../../ui/details.tsx'
import { Panel } from '../../ui/panel.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { BarChart } from '../charts/bar-chart.tsx'
import { arrangeUsage, fillDays, sumUsage, tokensOf, type UsageRow } from './sum-usage.ts'
import { usageWords } from './usage-words.ts'

export function UsageReportView({ report }: { report: UsageReport }) {
  const { by, rows, from, to } = report
  const words = useWords(usageWords)
  const common = useWords(adminWords)
  const arranged = arrangeUsage(rows, by)
  return (
    <>
      {by === 'day' && <Days rows={fillDays(rows, from, to)} />}
      <div className="flex items-center justify-between gap-3">
        <p className="text-[13px] text-soft">{words.costHint}</p>
        <Button
          size="small"
          icon={<Download aria-hidden="true" className="size-3.5" />}
          onClick={() => saveRows(arranged, by)}
        >
          {common.exportCsv}
        </Button>
      </div>
      <UsageTable rows={arranged} by={by} />
    </>
  )
}

function Days({ rows }: { rows: readonly UsageRow[] }) {
  const words = useWords(usageWords)
  const formats = useFormats()
  return (
    <Panel title={words.chart}>
      <BarChart
        className="h-32"
        label={words.chart}
        bars={rows.map((row) => ({
          ...{ key: row.key, value: tokensOf(row) },
          title: words.bar(row.key, formats.number(tokensOf(row)), formats.number(row.runs)),
        }))}
      />
    </Panel>
  )
}

function UsageTable({ rows, by }: { rows: readonly UsageRow[]; by: UsageReport['by'] }) {
  const words = useWords(usageWords)
  const formats = useFormats()
  const total = sumUsage(rows, words.total)
  const all = Math.max(1, tokensOf(total))
  const number = (name: string, head: string, of: (row: UsageRow) => number): Column<UsageRow> => ({
    ...{ name, head, align: 'end', cell: (row) => formats.number(of(row)) },
  })
  const columns: Column<UsageRow>[] = [
    {
      ...{ name: 'key', head: words.bys[by] },
      cell: (row) =>
        row === total ? <b>{row.key}</b> : row.key === '' ? words.none : <Mono text={row.key} />,
    },
    {
      ...{ name: 'share', head: words.share },
      cell: (row) => <Share part={tokensOf(row) / all} />,
    },
    number('turns', words.turns, ({ runs }) => runs),
    number('errors', words.errors, ({ errors }) => errors),
    number('in', words.tokensIn, ({ prompt_tokens }) => prompt_tokens),
    number('cached', words.cached, ({ cached_tokens }) => cached_tokens),
    number('out', words.tokensOut, ({ completion_tokens }) => completion_tokens),
    number('cost', words.cost, ({ cost_micros }) => cost_micros / 1_000_000),
  ]
  return (
    <Table
      caption={words.bys[by]}
      columns={columns}
      rows={[...rows, total]}
      keyOf={(row) => (row === total ? '\u0000total' : row.key)}
    />
  )
}

/** A part of all as a bar, and as a number. */
function Share({ part }: { part: number }) {
  const percent = Math.round(part * 100)
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden="true" className="h-2 w-28 overflow-hidden rounded-full bg-raised">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
      <span className="text-[13px] tabular-nums">{percent} %</span>
    </span>
  )
}

const csvColumns = [
  ...(['key', 'runs', 'errors', 'prompt_tokens', 'cached_tokens'] as const),
  ...(['completion_tokens', 'cost_micros'] as const),
]

function saveRows(rows: readonly UsageRow[], by: UsageReport['by']): void {
  const table = rows.map((row) => csvColumns.map((name) => row[name]))
  const text = toCsv({ columns: [by, ...csvColumns.slice(1)], rows: table })
  saveFile(`usage-${by}-${toDay(Date.now())}.csv`, text, 'text/csv')
}
