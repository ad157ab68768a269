import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useLang, useWords } from '../../words/use-words.ts'
import { evaluationsKey } from '../use-evaluations.ts'
import { datasetsWords } from './datasets-words.ts'
import { exampleQuestions } from './example.ts'

/** Questions by paste, from a file or the example; a fault is told with its place. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const words = useWords(datasetsWords)
  const lang = useLang()
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [text, setText] = useState('')

  async function read(file: File | undefined) {
    if (!file) return
    setText(await file.text())
    setName((old) => old || file.name.replace(/\.[a-z]+$/i, ''))
  }

  async function send() {
    const given = name.trim() === '' ? {} : { name }
    const made = await client.evaluations.importDataset({ text, ...given })
    await queries.invalidateQueries({ queryKey: [evaluationsKey] })
    toaster.done(words.imported(made.name, made.question_count))
    void navigate({
      to: '/evaluations/datasets/$datasetId',
      params: { datasetId: made.dataset_id },
    })
  }

  return (
    <FormDialog title={words.importTitle} action={words.import} onSubmit={send} onClose={onClose}>
      <TextArea
        code
        required
        rows={12}
        label={words.importBox}
        hint={words.importHint}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => input.current?.click()}>
          {words.chooseFile}
        </Button>
        <Button size="small" onClick={() => setText(exampleQuestions[lang])}>
          {words.useExample}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".json,.jsonl,.ndjson,.yaml,.yml,.txt"
          tabIndex={-1}
          aria-hidden="true"
          className="hidden"
          onChange={({ target }) => {
            void read(target.files?.[0])
            target.value = ''
          }}
        />
      </div>
      <TextField
        label={words.importName}
        hint={words.importNameHint}
        maxLength={191}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  )
}
