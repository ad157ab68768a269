import type { Question } from '@dataagent/schema'
import { useState } from 'react'
import { TextArea, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useWords } from '../../words/use-words.ts'
import { evaluationsWords } from '../evaluations-words.ts'
import { datasetsWords } from './datasets-words.ts'
import { noQuestion, type QuestionFields, readQuestion, toFields } from './read-question.ts'

interface QuestionFormProps {
  /** To be changed; none is to be added. */
  question: Question | undefined
  onSave(question: Question): Promise<unknown>
  onClose(): void
}

/** One question and what a right answer has. */
export function QuestionForm({ question, onSave, onClose }: QuestionFormProps) {
  const words = useWords(datasetsWords)
  const { save } = useWords(evaluationsWords)
  const [fields, setFields] = useState(question ? toFields(question) : noQuestion)
  const field = (name: keyof QuestionFields) => ({
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setFields((old) => ({ ...old, [name]: target.value })),
  })
  return (
    <FormDialog
      title={question ? words.editTitle(question.question_id) : words.addTitle}
      action={save}
      onSubmit={() => onSave(readQuestion(fields))}
      onClose={onClose}
    >
      <TextField
        required
        label={words.id}
        hint={words.idHint}
        maxLength={128}
        {...field('question_id')}
      />
      <TextArea required label={words.question} {...field('question')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextArea label={words.keywords} hint={words.perLine} rows={3} {...field('keywords')} />
        <TextArea label={words.tools} hint={words.perLine} rows={3} {...field('tools')} />
      </div>
      <TextField label={words.pattern} hint={words.optional} {...field('pattern')} />
      <TextArea code label={words.sql} hint={words.optional} rows={3} {...field('sql')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={words.category} maxLength={191} {...field('category')} />
        <TextField label={words.difficulty} maxLength={191} {...field('difficulty')} />
        <TextArea label={words.tags} hint={words.perLine} rows={2} {...field('tags')} />
        <TextField
          type="number"
          min={0.1}
          step="any"
          label={words.maxSeconds}
          hint={words.optional}
          {...field('max_seconds')}
        />
      </div>
    </FormDialog>
  )
}
