import { isClientError } from '@dataagent/client'
import type { EvaluationRun } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { QueryView } from '../../api/query-view.tsx'
import { Empty, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { BackLink } from '../back-link.tsx'
import type { RunSearch, RunTab } from '../evaluations-search.ts'
import { evaluationsWords } from '../evaluations-words.ts'
import { CompareView } from '../report/compare-view.tsx'
import { FailureList } from '../report/failure-list.tsx'
import { QuestionDialog } from '../report/question-dialog.tsx'
import { ReportView } from '../report/report-view.tsx'
import { evaluationsKey, isOpen, useRun } from '../use-evaluations.ts'
import { RunActions } from './run-actions.tsx'
import { RunGrid } from './run-grid.tsx'
import { RunProgress } from './run-progress.tsx'
import { runsWords } from './runs-words.ts'

const route = getRouteApi('/evaluations/runs/$runId')

/** One run: live while it goes on, then what it came to and how that differs. */
export function RunPage() {
  const words = useWords(evaluationsWords)
  const { runId } = route.useParams()
  const query = useRun(runId)
  useFreshReport(query.data)
  if (query.data) return <Shown run={query.data} />
  const isGone = isClientError(query.error, 'not_found')
  return (
    <Page title={isGone ? words.gone : words.runs} about={<BackLink tab="runs" />}>
      {isGone ? (
        <Empty icon={<ChartColumn />} title={words.gone}>
          {words.goneAbout}
        </Empty>
      ) : (
        <QueryView query={query}>{() => null}</QueryView>
      )}
    </Page>
  )
}

/** What was read of a run while it went on is read again at its end. */
function useFreshReport(run: EvaluationRun | undefined): void {
  const queries = useQueryClient()
  const before = useRef(run?.state)
  useEffect(() => {
    if (isOpen(before.current) && run && !isOpen(run.state)) {
      for (const part of ['report', 'trials', 'comparison'])
        void queries.invalidateQueries({ queryKey: [evaluationsKey, part, run.run_id] })
    }
    before.current = run?.state
  }, [run, queries])
}

function Shown({ run }: { run: EvaluationRun }) {
  const words = useWords(runsWords)
  const formats = useFormats()
  const { name, user_id, created_at, started_at, settings } = run
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const agent = settings?.assistant_id ?? words.fromUpload
  const change = (next: RunSearch) => void navigate({ search: { ...search, ...next } })
  return (
    <Page
      title={name}
      about={
        <span className="flex flex-col gap-1">
          <BackLink tab="runs" />
          <PlainText text={[agent, user_id, formats.time(started_at ?? created_at)].join(' · ')} />
        </span>
      }
      actions={<RunActions run={run} />}
    >
      <RunProgress run={run} />
      {run.state === 'interrupted' && (
        <Notice tone="wait" title={words.interrupted}>
          {words.interruptedAbout}
        </Notice>
      )}
      {run.error && (
        <Notice tone="bad" title={words.failed}>
          <PlainText text={run.error.message} />
        </Notice>
      )}
      <Parts run={run} search={search} onChange={change} />
      {search.question !== undefined && (
        <QuestionDialog
          run={run}
          question_id={search.question}
          onClose={() => {
            const { question: _, ...rest } = search
            void navigate({ search: rest, replace: true })
          }}
        />
      )}
    </Page>
  )
}

interface PartsProps {
  run: EvaluationRun
  search: RunSearch
  onChange(next: RunSearch): void
}

function Parts({ run, search, onChange }: PartsProps) {
  const words = useWords(runsWords)
  const hasReport = !isOpen(run.state) && run.counts.total > 0
  const { tab = hasReport ? 'report' : 'grid', baseline } = search
  const open = (question: string) => onChange({ question })
  const noReport = (
    <Empty icon={<ChartColumn />} title={words.noReport}>
      {words.noReportAbout}
    </Empty>
  )
  const parts: readonly (readonly [RunTab, string, () => ReactNode])[] = [
    ['grid', words.grid, () => <RunGrid questions={run.questions} onOpen={open} />],
    ['report', words.report, () => (hasReport ? <ReportView run={run} /> : noReport)],
    ['trials', words.trials, () => <FailureList run={run} onOpen={open} />],
    [
      'compare',
      words.compare,
      () =>
        hasReport ? (
          <CompareView
            run={run}
            baseline={baseline ?? run.settings?.baseline_run_id ?? undefined}
            onChoose={(run_id) => onChange({ baseline: run_id })}
            onOpen={open}
          />
        ) : (
          noReport
        ),
    ],
  ]
  const tabs = parts.map(([value, label, show]): Tab => {
    return { value, label, content: value === tab && <Part title={label}>{show()}</Part> }
  })
  return (
    <Tabs
      label={words.tabs}
      tabs={tabs}
      value={tab}
      onChange={(value) => onChange({ tab: value as RunTab })}
    />
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="sr-only">{title}</h2>
      {children}
    </section>
  )
}
