import type { Comparison, Difference, EvaluationRun, Verdict } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { GitCompareArrows } from 'lucide-react'
import { useClient } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Empty, Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useWords } from '../../words/use-words.ts'
import { evaluationsWords } from '../evaluations-words.ts'
import { RunLabel } from '../runs/run-label.tsx'
import { evaluationsKey, useBaselines } from '../use-evaluations.ts'
import { isOdd } from './is-odd.ts'
import { reportWords } from './report-words.ts'
import { useReportFormats } from './use-report-formats.ts'

interface CompareViewProps {
  run: EvaluationRun
  baseline: string | undefined
  onChoose(run_id: string): void
  onOpen(question_id: string): void
}

const verdictTones: Record<Verdict, Tone> = {
  ...{ better: 'good', worse: 'bad', within_noise: 'plain', unknown: 'plain' },
}

/** A run beside an earlier one. */
export function CompareView({ run, baseline, onChoose, onOpen }: CompareViewProps) {
  const words = useWords(reportWords)
  const baselines = useBaselines(run.run_id)
  if (baselines?.length === 0) {
    return (
      <Empty icon={<GitCompareArrows />} title={words.noOthers}>
        {words.noOthersAbout}
      </Empty>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        className="max-w-xl"
        label={words.baseline}
        value={baseline ?? ''}
        onChange={({ target }) => onChoose(target.value)}
      >
        <option value="" disabled>
          {words.chooseBaseline}
        </option>
        {baselines?.map((other) => (
          <option key={other.run_id} value={other.run_id}>
            <RunLabel run={other} />
          </option>
        ))}
      </SelectField>
      {baseline === undefined ? (
        <p className="text-sm text-soft">{words.compareAbout}</p>
      ) : (
        <Compared run_id={run.run_id} baseline={baseline} onOpen={onOpen} />
      )}
    </div>
  )
}

interface ComparedProps {
  run_id: string
  baseline: string
  onOpen(question_id: string): void
}

function Compared({ run_id, baseline, onOpen }: ComparedProps) {
  const words = useWords(reportWords)
  const { percent } = useReportFormats()
  const client = useClient()
  const query = useQuery({
    queryKey: [evaluationsKey, 'comparison', run_id, baseline],
    queryFn: ({ signal }) => client.evaluations.compare(run_id, { baseline }, { signal }),
    retry: false,
  })
  return (
    <QueryView query={query}>
      {(comparison) => (
        <>
          <Summary verdict={comparison.pass_rate.verdict} />
          <Differences comparison={comparison} />
          {measures.some((name) => isOdd(comparison[name])) && (
            <p className="text-[13px] text-soft">{words.together}</p>
          )}
          <p className="text-[13px] text-soft">
            {words.visible(percent(comparison.smallest_visible_change))}
          </p>
          <Changes comparison={comparison} onOpen={onOpen} />
        </>
      )}
    </QueryView>
  )
}

function Summary({ verdict }: { verdict: Verdict }) {
  const words = useWords(reportWords)
  if (verdict === 'better') return <Notice tone="good">{words.betterAbout}</Notice>
  if (verdict === 'worse') return <Notice tone="bad">{words.worseAbout}</Notice>
  return verdict === 'unknown' ? null : <Notice>{words.withinNoise}</Notice>
}

const measures = [
  ...(['pass_rate', 'mean_total_ms', 'p50_total_ms'] as const),
  ...(['p95_total_ms', 'mean_first_event_ms'] as const),
]
type Measure = (typeof measures)[number]

function Differences({ comparison }: { comparison: Comparison }) {
  const words = useWords(reportWords)
  const { percent, ms, change, changeOfShare } = useReportFormats()
  const isShare = (name: Measure) => name === 'pass_rate'
  const show = (amount: number | null, format: (known: number) => string) =>
    amount === null ? '—' : format(amount)
  const value = (name: Measure, amount: number | null) => show(amount, isShare(name) ? percent : ms)
  const signed = (name: Measure, by: number | null) =>
    show(by, isShare(name) ? changeOfShare : change)
  const of = (name: Measure): Difference => comparison[name]
  const cell = { align: 'end', className: 'whitespace-nowrap' } as const
  const columns: Column<Measure>[] = [
    { name: 'what', head: words.what, cell: (name) => words.measures[name] },
    {
      ...{ name: 'before', head: words.before, ...cell },
      cell: (name) => value(name, of(name).baseline),
    },
    { ...{ name: 'now', head: words.now, ...cell }, cell: (name) => value(name, of(name).current) },
    {
      ...{ name: 'difference', head: words.difference, ...cell },
      cell: (name) => (
        <>
          {signed(name, of(name).difference)}
          {of(name).low !== null && (
            <span className="block text-xs text-soft">
              {words.between(signed(name, of(name).low), signed(name, of(name).high))}
            </span>
          )}
        </>
      ),
    },
    {
      ...{ name: 'verdict', head: words.verdict, className: 'whitespace-nowrap' },
      cell: (name) => (
        <Badge tone={verdictTones[of(name).verdict]}>{words.verdicts[of(name).verdict]}</Badge>
      ),
    },
  ]
  return (
    <Table caption={words.difference} columns={columns} rows={measures} keyOf={(name) => name} />
  )
}

type Changed = Comparison['questions'][number]

function Changes({
  comparison,
  onOpen,
}: { comparison: Comparison } & Pick<ComparedProps, 'onOpen'>) {
  const words = useWords(reportWords)
  const changed = (...kinds: Changed['change'][]) =>
    comparison.questions.filter(({ change }) => kinds.includes(change))
  const lists = [
    [words.broken, changed('broken')],
    [words.fixed, changed('fixed')],
    [words.addedOrRemoved, changed('added', 'removed')],
  ] as const
  if (lists.every(([, questions]) => questions.length === 0))
    return <p className="text-sm text-soft">{words.noneChanged}</p>
  return lists.map(
    ([title, questions]) =>
      questions.length > 0 && (
        <Panel key={title} title={`${title} (${questions.length})`}>
          <ul className="flex flex-col gap-2 text-sm">
            {questions.map((question) => (
              <ChangedQuestion key={question.question_id} {...{ question, onOpen }} />
            ))}
          </ul>
        </Panel>
      ),
  )
}

interface ChangedProps {
  question: Changed
  onOpen(question_id: string): void
}

function ChangedQuestion({ question, onOpen }: ChangedProps) {
  const words = useWords(reportWords)
  const { statuses } = useWords(evaluationsWords)
  const { question_id, baseline, current, change } = question
  const text = (
    <>
      <span className="font-mono text-[13px]">{question_id}</span>{' '}
      <PlainText text={question.question} />
    </>
  )
  return (
    <li className="[overflow-wrap:anywhere]">
      {change === 'removed' ? (
        text
      ) : (
        <button
          type="button"
          onClick={() => onOpen(question_id)}
          className="text-left text-accent hover:underline"
        >
          {text}
        </button>
      )}{' '}
      {baseline && current && (
        <span className="text-soft">{words.from(statuses[baseline], statuses[current])}</span>
      )}
    </li>
  )
}
