import type { EvaluationRun, TrialStatus } from '@dataagent/schema'
import { Check, Clock, type LucideIcon, Minus, TriangleAlert, X } from 'lucide-react'
import { cx } from '../../ui/cx.ts'
import { useFormats, useWords } from '../../words/use-words.ts'
import { evaluationsWords } from '../evaluations-words.ts'
import { runsWords } from './runs-words.ts'

type Status = TrialStatus | 'waiting'

/** A colour and a sign: either says it. */
const looks: Record<Status, { Icon: LucideIcon; className: string }> = {
  passed: { Icon: Check, className: 'bg-good-soft text-good border-good/50' },
  failed: { Icon: X, className: 'bg-bad-soft text-bad border-bad/50' },
  error: { Icon: TriangleAlert, className: 'bg-wait-soft text-wait border-wait/50' },
  timeout: { Icon: Clock, className: 'bg-info-soft text-info border-info/50' },
  waiting: { Icon: Minus, className: 'bg-raised text-soft border-line' },
}
const order: readonly Status[] = ['passed', 'failed', 'error', 'timeout', 'waiting']
const box = 'grid place-items-center rounded-md border'

interface RunGridProps {
  questions: EvaluationRun['questions']
  onOpen(question_id: string): void
}

/** One square for each question, by what came of it last. */
export function RunGrid({ questions, onOpen }: RunGridProps) {
  const words = useWords(runsWords)
  const { statuses } = useWords(evaluationsWords)
  return (
    <div className="flex flex-col gap-3">
      <Legend questions={questions} />
      <p className="text-[13px] text-soft">{words.gridAbout}</p>
      <ul aria-label={words.grid} className="flex flex-wrap gap-1.5">
        {questions.map(({ question_id, question, status }) => {
          const shown = status ?? 'waiting'
          const { Icon, className } = looks[shown]
          const label = `${question_id}, ${statuses[shown]}: ${question}`
          return (
            <li key={question_id}>
              <button
                type="button"
                aria-label={label}
                title={label}
                onClick={() => onOpen(question_id)}
                className={cx(box, 'size-7 hover:opacity-80', className)}
              >
                <Icon aria-hidden="true" className="size-3.5" />
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Legend({ questions }: Pick<RunGridProps, 'questions'>) {
  const { statuses } = useWords(evaluationsWords)
  const formats = useFormats()
  const counts = new Map<Status, number>()
  for (const { status } of questions) {
    const shown = status ?? 'waiting'
    counts.set(shown, (counts.get(shown) ?? 0) + 1)
  }
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {order.map((status) => {
        const { Icon, className } = looks[status]
        return (
          <li key={status} className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className={cx(box, 'size-5', className)}>
              <Icon className="size-3" />
            </span>
            {statuses[status]}
            <span className="font-semibold tabular-nums">
              {formats.number(counts.get(status) ?? 0)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
