import type { EvaluationRun } from '@dataagent/schema'
import { useState } from 'react'
import { QueryView } from '../../api/query-view.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Pager } from '../../ui/pager.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { reportWords } from './report-words.ts'
import { TrialView } from './trial-view.tsx'
import { useTrials } from './use-trials.ts'

const limit = 10

interface QuestionDialogProps {
  run: EvaluationRun
  question_id: string
  onClose(): void
}

/** One question of a run, with all that was answered to it. */
export function QuestionDialog({ run, question_id, onClose }: QuestionDialogProps) {
  const words = useWords(reportWords)
  const [offset, setOffset] = useState(0)
  const query = useTrials(run, { question_id, limit, offset })
  const question = run.questions.find((one) => one.question_id === question_id)
  return (
    <Dialog title={words.trialsOf(question_id)} onClose={onClose}>
      <div className="flex flex-col gap-3">
        {question && (
          <p className="text-sm [overflow-wrap:anywhere]">
            <PlainText text={question.question} />
          </p>
        )}
        <QueryView query={query}>
          {({ trials, total }) => (
            <>
              {total === 0 && <p className="text-sm text-soft">{words.noTrials}</p>}
              {trials.map((trial) => (
                <TrialView key={trial.trial_id} run={run} trial={trial} />
              ))}
              <Pager {...{ offset, limit, total }} count={trials.length} onChange={setOffset} />
            </>
          )}
        </QueryView>
      </div>
    </Dialog>
  )
}
