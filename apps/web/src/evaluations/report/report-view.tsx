import type { EvaluationReport, EvaluationRun, Times, TrialGroup } from '@dataagent/schema'
import { StatCard } from '../../admin/overview/stat-card.tsx'
import { QueryView } from '../../api/query-view.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useWords } from '../../words/use-words.ts'
import { useReport } from '../use-evaluations.ts'
import { reportWords } from './report-words.ts'
import { ShareBar } from './share-bar.tsx'
import { useReportFormats } from './use-report-formats.ts'

/** What a run came to. */
export function ReportView({ run }: { run: EvaluationRun }) {
  const words = useWords(reportWords)
  const query = useReport(run.run_id, true)
  return (
    <QueryView query={query}>
      {(report) => (
        <div className="flex flex-col gap-4">
          {!report.is_complete && <Notice tone="wait">{words.incomplete}</Notice>}
          <Numbers report={report} />
          <TimesTable times={report.times} />
          <Groups title={words.byCategory} groups={report.by_category} />
          <Groups title={words.byDifficulty} groups={report.by_difficulty} />
          <Groups title={words.byTag} groups={report.by_tag} />
        </div>
      )}
    </QueryView>
  )
}

function Numbers({ report }: { report: EvaluationReport }) {
  const words = useWords(reportWords)
  const { percent, number, ms, amount } = useReportFormats()
  const { pass_rate, failures, times, cost } = report
  const asked = report.counts.total
  const { total, first_event } = times
  const tokens = report.prompt_tokens + report.completion_tokens
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(13rem,100%),1fr))] gap-3">
      <StatCard
        title={words.passRate}
        value={percent(pass_rate.value, asked)}
        hint={words.interval(percent(pass_rate.low, asked), percent(pass_rate.high, asked))}
      >
        <ShareBar share={pass_rate} />
      </StatCard>
      <StatCard
        title={words.failures}
        value={number(failures.capability + failures.infrastructure)}
        hint={
          <>
            <p>{words.capability(number(failures.capability))}</p>
            <p>{words.infrastructure(number(failures.infrastructure))}</p>
          </>
        }
      />
      <StatCard
        title={words.median}
        value={ms(total.p50, total.count)}
        hint={words.slowest(ms(total.p95, total.count), ms(total.p99, total.count))}
      />
      <StatCard
        title={words.firstEvent}
        value={ms(first_event.p50, first_event.count)}
        hint={words.firstEventAbout(ms(first_event.p95, first_event.count))}
      />
      <StatCard
        title={words.tokens}
        value={number(tokens)}
        hint={
          <>
            <p>
              {words.tokensAbout(number(report.prompt_tokens), number(report.completion_tokens))}
            </p>
            <p>{cost === null ? words.noCost : words.cost(amount(cost))}</p>
          </>
        }
      />
    </div>
  )
}

type TimesName = 'total' | 'first_event' | 'first_text' | 'tool'
const measured: readonly TimesName[] = ['total', 'first_event', 'first_text', 'tool']
const points = ['p50', 'p90', 'p95', 'p99', 'max'] as const

function TimesTable({ times }: { times: EvaluationReport['times'] }) {
  const words = useWords(reportWords)
  const { ms, number } = useReportFormats()
  const columns: Column<TimesName>[] = [
    { name: 'what', head: words.measure, cell: (name) => words.timesOf[name] },
    {
      ...{ name: 'count', head: words.asked, align: 'end' },
      cell: (name) => number(times[name].count),
    },
    ...points.map(
      (point): Column<TimesName> => ({
        ...{ name: point, head: point, align: 'end', className: 'whitespace-nowrap' },
        cell: (name) => shown(times[name], point),
      }),
    ),
  ]
  const shown = (of: Times, point: (typeof points)[number]) => ms(of[point], of.count)
  return (
    <Panel title={words.times}>
      <Table caption={words.times} columns={columns} rows={measured} keyOf={(name) => name} />
    </Panel>
  )
}

/** Times of errors are not counted. */
const timedOf = ({ total, error }: TrialGroup['counts']) => total - error

function Groups({ title, groups }: { title: string; groups: readonly TrialGroup[] }) {
  const words = useWords(reportWords)
  const { percent, number, ms } = useReportFormats()
  if (groups.length === 0) return null
  const columns: Column<TrialGroup>[] = [
    {
      ...{ name: 'name', head: words.group, className: 'min-w-24 [overflow-wrap:anywhere]' },
      cell: ({ name }) => <PlainText text={name === '' ? words.unnamed : name} />,
    },
    {
      ...{ name: 'share', head: words.share, className: 'min-w-44' },
      cell: ({ pass_rate, counts: { total } }) => (
        <div className="flex flex-col gap-1">
          <span className="tabular-nums">
            {percent(pass_rate.value, total)}{' '}
            <span className="text-[13px] text-soft">
              {words.between(percent(pass_rate.low, total), percent(pass_rate.high, total))}
            </span>
          </span>
          <ShareBar share={pass_rate} />
        </div>
      ),
    },
    {
      ...{ name: 'asked', head: words.asked, align: 'end' },
      cell: ({ counts }) => number(counts.total),
    },
    {
      ...{ name: 'mean', head: words.mean, align: 'end', className: 'whitespace-nowrap' },
      cell: ({ mean_ms, counts }) => ms(mean_ms, timedOf(counts)),
    },
    {
      ...{ name: 'p95', head: 'p95', align: 'end', className: 'whitespace-nowrap' },
      cell: ({ p95_ms, counts }) => ms(p95_ms, timedOf(counts)),
    },
  ]
  return (
    <Panel title={title}>
      <Table caption={title} columns={columns} rows={groups} keyOf={({ name }) => name} />
    </Panel>
  )
}
