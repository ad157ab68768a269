import type { DataQuestion, QueryResult } from '@dataagent/schema'
import { Link } from '@tanstack/react-router'
import { BadgeCheck, Bookmark } from 'lucide-react'
import { useState } from 'react'
import { useClient, useMe } from '../../api/api-context.ts'
import { ConfirmAct } from '../../api/confirm-act.tsx'
import { CodeBlock } from '../../markdown/code-block.tsx'
import { Button } from '../../ui/button.tsx'
import { createLateView } from '../../ui/create-part.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { dataWords } from '../data-words.ts'
import { ProblemNotice } from '../faults/fault-notice.tsx'
import { RowActions } from '../row-actions.tsx'
import { useSourceName } from '../source-choice.tsx'
import { questionsWords } from './questions-words.ts'

const QueryBlock = createLateView(() =>
  import('../block/query-block.tsx').then(({ QueryBlock }) => QueryBlock),
)

interface QuestionItemProps {
  question: DataQuestion
  onEdit: ((question: DataQuestion) => void) | undefined
}

/** A question: it can be asked in a chat, or its query run here and now. */
export function QuestionItem({ question, onEdit }: QuestionItemProps) {
  const words = useWords(questionsWords)
  const client = useClient()
  const nameOf = useSourceName()
  const [result, setResult] = useState<QueryResult>()
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const { question_id, question: text, also, note, sql, verified, source_id } = question
  const mayAsk = useMe().role !== 'auditor'
  const Icon = verified ? BadgeCheck : Bookmark

  async function run() {
    setRunning(true)
    setError(undefined)
    try {
      setResult(await client.data.runQuestion(question_id))
    } catch (failure) {
      setError(failure)
    }
    setRunning(false)
  }

  return (
    <li className="flex min-w-0 flex-col gap-2 rounded-lg border border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        <Icon
          aria-hidden="true"
          className={`size-4 shrink-0 ${verified ? 'text-good' : 'text-soft'}`}
        />
        <span className="min-w-40 flex-1 font-medium [overflow-wrap:anywhere]">
          <PlainText text={text} />
        </span>
        {mayAsk && (
          <>
            <Link to="/c" search={{ ask: text }} className="text-sm text-accent underline">
              {words.ask}
            </Link>
            <Button
              size="small"
              busy={isRunning}
              aria-label={words.runOf(text)}
              onClick={() => void run()}
            >
              {words.run}
            </Button>
          </>
        )}
        {onEdit && <Changes question={question} onEdit={onEdit} />}
      </div>
      <p className="text-[13px] text-soft [overflow-wrap:anywhere]">
        <PlainText text={nameOf(source_id)} />
        {also.length > 0 && (
          <>
            {' · '}
            <PlainText text={words.also(also.slice(0, 3).join(' · '))} />
          </>
        )}
      </p>
      {note !== undefined && (
        <p className="text-sm whitespace-pre-line [overflow-wrap:anywhere]">
          <PlainText text={note} />
        </p>
      )}
      <details className="min-w-0 text-sm">
        <summary className="w-fit text-soft">{words.sql}</summary>
        <div className="mt-2">
          <CodeBlock text={sql} language="sql" />
        </div>
      </details>
      {error !== undefined && <ProblemNotice error={error} />}
      {result && <QueryBlock key={result.query_id} query={result} isKept />}
    </li>
  )
}

function Changes({ question, onEdit }: { question: DataQuestion } & Required<QuestionItemProps>) {
  const words = useWords(questionsWords)
  const common = useWords(dataWords)
  const client = useClient()
  const [isAsked, setAsked] = useState(false)
  const { question: text, question_id } = question
  return (
    <>
      <RowActions
        editLabel={words.editOf(text)}
        onEdit={() => onEdit?.(question)}
        removeLabel={words.removeOf(text)}
        onRemove={() => setAsked(true)}
      />
      {isAsked && (
        <ConfirmAct
          title={words.removeTitle}
          action={common.remove}
          work={() => client.data.deleteQuestion(question_id)}
          done={common.removed}
          reload={[['data', 'questions']]}
          onClose={() => setAsked(false)}
        >
          <p>
            <PlainText text={text} />
          </p>
        </ConfirmAct>
      )}
    </>
  )
}
