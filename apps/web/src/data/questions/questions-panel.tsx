import type { DataQuestion } from '@dataagent/schema'
import { useState } from 'react'
import { AddButton } from '../../admin/add-button.tsx'
import { useIsAdmin } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useWords } from '../../words/use-words.ts'
import { useQuestions } from '../use-data.ts'
import { QuestionForm } from './question-form.tsx'
import { QuestionItem } from './question-item.tsx'
import { questionsWords } from './questions-words.ts'

const limit = 20

/** Questions whose queries are known: those for all, and one's own. */
export function QuestionsPanel() {
  const words = useWords(questionsWords)
  const isAdmin = useIsAdmin()
  const [open, setOpen] = useState<'new' | DataQuestion>()
  const emptyAbout = isAdmin ? words.noVerifiedAdmin : words.noVerifiedUser
  return (
    <div className="flex flex-col gap-5">
      <Panel
        title={words.verified}
        about={words.verifiedAbout}
        actions={isAdmin && <AddButton label={words.add} onClick={() => setOpen('new')} />}
      >
        <Questions
          verified
          none={<Empty title={words.noVerified}>{emptyAbout}</Empty>}
          onEdit={isAdmin ? setOpen : undefined}
        />
      </Panel>
      <Panel title={words.saved} about={words.savedAbout}>
        <Questions
          verified={false}
          none={<Empty title={words.noSaved}>{words.noSavedAbout}</Empty>}
          onEdit={setOpen}
        />
      </Panel>
      {open && (
        <QuestionForm
          question={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

interface QuestionsProps {
  verified: boolean
  none: React.ReactNode
  /** Absent where they are for others to change. */
  onEdit: ((question: DataQuestion) => void) | undefined
}

function Questions({ verified, none, onEdit }: QuestionsProps) {
  const words = useWords(questionsWords)
  const [offset, setOffset] = useState(0)
  const query = useQuestions(verified, { limit, offset })
  return (
    <QueryView query={query}>
      {({ questions, total }) =>
        total === 0 ? (
          none
        ) : (
          <>
            <ul
              aria-label={verified ? words.verified : words.saved}
              className="flex min-w-0 flex-col gap-2"
            >
              {questions.map((question) => (
                <QuestionItem key={question.question_id} question={question} onEdit={onEdit} />
              ))}
            </ul>
            <Pager {...{ offset, limit, total, count: questions.length }} onChange={setOffset} />
          </>
        )
      }
    </QueryView>
  )
}
