import type { DataQuestion } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { dataWords } from '../data-words.ts'
import { SourceChoice } from '../source-choice.tsx'
import { noteMax, questionMax } from './question-limits.ts'
import { questionsWords } from './questions-words.ts'

interface QuestionFormProps {
  /** To be changed; none is to be added, verified by who adds it. */
  question: DataQuestion | undefined
  onClose(): void
}

export function QuestionForm({ question, onClose }: QuestionFormProps) {
  const words = useWords(questionsWords)
  const common = useWords(dataWords)
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const [text, setText] = useState(question?.question ?? '')
  const [also, setAlso] = useState(question?.also.join('\n') ?? '')
  const [note, setNote] = useState(question?.note ?? '')
  const [sql, setSql] = useState(question?.sql ?? '')
  const [source_id, setSource] = useState(question?.source_id ?? '')

  async function save() {
    const { question_id = crypto.randomUUID(), verified = true } = question ?? {}
    const others = also.split('\n').map((line) => line.trim())
    await client.data.putQuestion(question_id, {
      ...{ source_id, question: text.trim(), also: others.filter(Boolean).slice(0, 20) },
      ...{ sql: sql.trim(), verified },
      ...(note.trim() !== '' && { note: note.trim() }),
    })
    await queries.invalidateQueries({ queryKey: ['data', 'questions'] })
    toaster.done(common.saved)
  }

  return (
    <FormDialog
      title={question ? words.editTitle : words.addTitle}
      action={common.save}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={words.question}
        required
        maxLength={questionMax}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <TextArea
        label={words.alsoLabel}
        hint={words.alsoHint}
        rows={3}
        value={also}
        onChange={(event) => setAlso(event.target.value)}
      />
      <TextArea
        label={words.note}
        hint={words.noteHint}
        rows={2}
        maxLength={noteMax}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <SourceChoice value={source_id} onChange={setSource} />
      <TextArea
        code
        label={words.sql}
        hint={words.sqlHint}
        required
        rows={8}
        maxLength={20_000}
        value={sql}
        onChange={(event) => setSql(event.target.value)}
      />
    </FormDialog>
  )
}
