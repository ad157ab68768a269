import type { QueryResult } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bookmark, BookmarkCheck } from 'lucide-react'
import { useState } from 'react'
import { useClient, useMe } from '../../api/api-context.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useWords } from '../../words/use-words.ts'
import { noteMax, questionMax } from '../questions/question-limits.ts'
import { queryWords } from './query-words.ts'

/** Keeps the query among the questions of who reads it, to be run again. */
export function SaveQuestion({ query }: { query: QueryResult }) {
  const words = useWords(queryWords)
  const [state, setState] = useState<'idle' | 'asked' | 'saved'>('idle')
  // Auditors keep no questions.
  if (useMe().role === 'auditor') return null
  if (state === 'saved') {
    return (
      <p role="status" className="mt-3 flex flex-wrap items-center gap-1.5 text-[13px] text-soft">
        <BookmarkCheck aria-hidden="true" className="size-3.5 text-good" /> {words.questionSaved}
        <Link to="/data" search={{ tab: 'questions' }} className="text-accent underline">
          {words.toQuestions}
        </Link>
      </p>
    )
  }
  return (
    <>
      <Button
        kind="quiet"
        size="small"
        className="mt-3"
        icon={<Bookmark aria-hidden="true" className="size-3.5" />}
        onClick={() => setState('asked')}
      >
        {words.saveQuestion}
      </Button>
      {state === 'asked' && (
        <SaveDialog
          query={query}
          onSaved={() => setState('saved')}
          onClose={() => setState((now) => (now === 'saved' ? now : 'idle'))}
        />
      )}
    </>
  )
}

interface SaveDialogProps {
  query: QueryResult
  onSaved(): void
  onClose(): void
}

function SaveDialog({ query, onSaved, onClose }: SaveDialogProps) {
  const words = useWords(queryWords)
  const client = useClient()
  const cache = useQueryClient()
  const { source_id, sql, purpose = '' } = query
  const [title, setTitle] = useState(purpose.slice(0, questionMax))
  const [note, setNote] = useState('')
  // One id for all tries, so that a second one does not save it twice.
  const [question_id] = useState(() => crypto.randomUUID())

  async function save() {
    await client.data.putQuestion(question_id, {
      ...{ source_id, sql, question: title.trim() },
      ...(note.trim() !== '' && { note: note.trim() }),
    })
    onSaved()
    await cache.invalidateQueries({ queryKey: ['data', 'questions'] })
  }

  return (
    <FormDialog
      size="small"
      title={words.saveQuestion}
      action={words.saveAction}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={words.questionTitle}
        hint={words.questionHint}
        required
        pattern=".*\S.*"
        maxLength={questionMax}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
      <TextArea
        label={words.questionNote}
        hint={words.noteHint}
        rows={3}
        maxLength={noteMax}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </FormDialog>
  )
}
