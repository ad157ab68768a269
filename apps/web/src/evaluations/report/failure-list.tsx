import type { EvaluationRun, Trial, TrialStatus } from '@dataagent/schema'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { QueryView } from '../../api/query-view.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { evaluationsWords } from '../evaluations-words.ts'
import { reportWords } from './report-words.ts'
import { TrialView } from './trial-view.tsx'
import { useTrials } from './use-trials.ts'

type Failed = Exclude<TrialStatus, 'passed'>
const failed: readonly Failed[] = ['failed', 'error', 'timeout']
const limit = 20

interface FailureListProps {
  run: EvaluationRun
  onOpen(question_id: string): void
}

/** What has not passed, by kind, with its answer. */
export function FailureList({ run, onOpen }: FailureListProps) {
  const words = useWords(reportWords)
  const { statuses } = useWords(evaluationsWords)
  const formats = useFormats()
  const first = failed.find((status) => run.counts[status] > 0) ?? 'failed'
  const [chosen, setChosen] = useState<Failed>()
  const [offset, setOffset] = useState(0)
  const status = chosen ?? first
  const query = useTrials(run, { status, limit, offset })
  if (failed.every((one) => run.counts[one] === 0)) {
    return (
      <Empty icon={<CircleCheck />} title={words.noFailures}>
        {words.noFailuresAbout}
      </Empty>
    )
  }
  const textOf = (one: Failed) => `${statuses[one]} ${formats.number(run.counts[one])}`
  return (
    <div className="flex flex-col gap-3">
      <Choice
        label={words.failures}
        values={failed}
        value={status}
        texts={{ failed: textOf('failed'), error: textOf('error'), timeout: textOf('timeout') }}
        onChange={(next) => {
          setChosen(next)
          setOffset(0)
        }}
      />
      <QueryView query={query}>
        {({ trials, total }) => (
          <>
            {trials.map((trial) => (
              <Failure key={trial.trial_id} {...{ run, trial, onOpen }} />
            ))}
            <Pager {...{ offset, limit, total }} count={trials.length} onChange={setOffset} />
          </>
        )}
      </QueryView>
    </div>
  )
}

function Failure({ run, trial, onOpen }: FailureListProps & { trial: Trial }) {
  const { question_id } = trial
  const question = run.questions.find((one) => one.question_id === question_id)
  return (
    <section className="flex flex-col gap-1">
      <h3 className="text-sm font-medium [overflow-wrap:anywhere]">
        <button
          type="button"
          onClick={() => onOpen(question_id)}
          className="text-left text-accent hover:underline"
        >
          <span className="font-mono text-[13px]">{question_id}</span>{' '}
          <PlainText text={question?.question ?? ''} />
        </button>
      </h3>
      <TrialView run={run} trial={trial} />
    </section>
  )
}
