import type { EvaluationRunInfo } from '@dataagent/schema'
import { Link } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { QueryView } from '../../api/query-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { evaluationsWords } from '../evaluations-words.ts'
import { isOpen, useMayRun, useRuns } from '../use-evaluations.ts'
import { RunState } from './run-state.tsx'
import { runsWords } from './runs-words.ts'
import { UploadReport } from './upload-report.tsx'

interface RunListProps {
  offset: number
  onOffset(offset: number): void
  onDatasets(): void
}

/** Runs of the caller; those of all for who manages or audits. */
export function RunList({ offset, onOffset, onDatasets }: RunListProps) {
  const words = useWords(runsWords)
  const mayRun = useMayRun()
  const query = useRuns(offset)
  return (
    <QueryView query={query}>
      {({ runs, limit, total }) =>
        total === 0 ? (
          <Empty
            icon={<ChartColumn />}
            title={words.emptyTitle}
            action={
              mayRun && (
                <>
                  <Button kind="primary" onClick={onDatasets}>
                    {words.toDatasets}
                  </Button>
                  <UploadReport />
                </>
              )
            }
          >
            {words.emptyAbout}
          </Empty>
        ) : (
          <div className="flex flex-col gap-3">
            {mayRun && (
              <div className="flex justify-end">
                <UploadReport />
              </div>
            )}
            <RunTable runs={runs} />
            <Pager {...{ offset, limit, total }} count={runs.length} onChange={onOffset} />
          </div>
        )
      }
    </QueryView>
  )
}

function RunTable({ runs }: { runs: readonly EvaluationRunInfo[] }) {
  const words = useWords(runsWords)
  const common = useWords(evaluationsWords)
  const formats = useFormats()
  const columns: Column<EvaluationRunInfo>[] = [
    { name: 'name', head: common.name, className: 'min-w-44', cell: nameOf },
    { name: 'state', head: words.state, cell: ({ state }) => <RunState state={state} /> },
    {
      ...{ name: 'result', head: words.result, className: 'whitespace-nowrap' },
      cell: (run) => <Result run={run} />,
    },
    {
      ...{ name: 'agent', head: words.agent },
      cell: ({ settings, source }) =>
        source === 'upload' ? words.fromUpload : <PlainText text={settings?.assistant_id ?? '—'} />,
    },
    { name: 'by', head: common.owner, cell: ({ user_id }) => <PlainText text={user_id} /> },
    {
      ...{ name: 'began', head: words.began, className: 'whitespace-nowrap text-soft' },
      cell: ({ created_at, started_at }) => formats.time(started_at ?? created_at),
    },
  ]
  return <Table caption={words.list} columns={columns} rows={runs} keyOf={({ run_id }) => run_id} />
}

const nameOf = ({ run_id, name }: EvaluationRunInfo) => (
  <Link
    to="/evaluations/runs/$runId"
    params={{ runId: run_id }}
    className="font-medium text-accent hover:underline [overflow-wrap:anywhere]"
  >
    <PlainText text={name} />
  </Link>
)

function Result({ run: { state, counts, planned } }: { run: EvaluationRunInfo }) {
  const words = useWords(runsWords)
  const { number } = useFormats()
  if (isOpen(state)) return words.progress(number(counts.total), number(planned))
  if (counts.total === 0) return '—'
  return words.passedOf(number(counts.passed), number(counts.total))
}
