import type { EvaluationRun, Trial } from '@dataagent/schema'
import { Link } from '@tanstack/react-router'
import { Check, X } from 'lucide-react'
import { useMe } from '../../api/api-context.ts'
import { LongText } from '../../results/long-text.tsx'
import { Badge } from '../../ui/badge.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { TrialState } from '../runs/run-state.tsx'
import { reportWords } from './report-words.ts'
import { useReportFormats } from './use-report-formats.ts'

/** One asking: what was answered, which checks it met, and the way to the conversation. */
export function TrialView({ run, trial }: { run: EvaluationRun; trial: Trial }) {
  const words = useWords(reportWords)
  const { ms } = useReportFormats()
  const { user_id } = useMe()
  const { attempt, status, failure, checks, answer, session_id, total_ms } = trial
  // Sessions are their owners' alone, and those of other servers are not here.
  const isHere = run.source === 'platform' && run.user_id === user_id && session_id !== null
  return (
    <article className="flex min-w-0 flex-col gap-2 rounded-xl border border-line bg-panel p-3">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <TrialState status={status} />
        <span>{words.attempt(attempt)}</span>
        <span className="text-soft tabular-nums">
          {words.took} {ms(total_ms)}
        </span>
        {failure && (
          <Badge tone={failure.kind === 'capability' ? 'bad' : 'wait'}>
            {words.kinds[failure.kind]}
          </Badge>
        )}
        {isHere && (
          <Link
            to="/c/$sessionId"
            params={{ sessionId: session_id }}
            className="text-accent hover:underline"
          >
            {words.transcript}
          </Link>
        )}
      </header>
      {failure && status !== 'failed' && (
        <p className="text-sm [overflow-wrap:anywhere]">
          <code className="text-soft">{failure.code}</code> <PlainText text={failure.message} />
        </p>
      )}
      {checks.length > 0 && (
        <ul className="flex flex-col gap-0.5 text-sm">
          {checks.map(({ name, passed, message }) => (
            <li key={name} className="flex items-start gap-1.5">
              {passed ? (
                <Check aria-hidden="true" className="mt-1 size-3.5 shrink-0 text-good" />
              ) : (
                <X aria-hidden="true" className="mt-1 size-3.5 shrink-0 text-bad" />
              )}
              <span className="[overflow-wrap:anywhere]">
                {words.checks[name]}: {passed ? words.met : words.notMet}
                {!passed && message !== '' && (
                  <span className="text-soft">
                    {' '}
                    <PlainText text={message} />
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="text-sm">
        <h4 className="text-[13px] font-medium text-soft">{words.answer}</h4>
        {answer === '' ? (
          <p className="text-soft">{words.noAnswer}</p>
        ) : (
          <LongText text={answer} name={trial.question_id} />
        )}
      </div>
    </article>
  )
}
