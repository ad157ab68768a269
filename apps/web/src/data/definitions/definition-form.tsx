import type { DataDefinition } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { dataWords } from '../data-words.ts'
import { SourceChoice } from '../source-choice.tsx'
import { definitionsWords } from './definitions-words.ts'

interface DefinitionFormProps {
  /** To be changed; none is to be added. */
  definition: DataDefinition | undefined
  onClose(): void
}

export function DefinitionForm({ definition, onClose }: DefinitionFormProps) {
  const words = useWords(definitionsWords)
  const common = useWords(dataWords)
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const [term, setTerm] = useState(definition?.term ?? '')
  const [meaning, setMeaning] = useState(definition?.meaning ?? '')
  const [source, setSource] = useState(definition?.source_id ?? '')

  async function save() {
    const definition_id = definition?.definition_id ?? crypto.randomUUID()
    const source_id = source === '' ? null : source
    await client.data.putDefinition(definition_id, {
      ...{ source_id, term: term.trim(), meaning: meaning.trim() },
    })
    await queries.invalidateQueries({ queryKey: ['data', 'definitions'] })
    toaster.done(common.saved)
  }

  return (
    <FormDialog
      title={definition ? words.editTitle(definition.term) : words.addTitle}
      action={common.save}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={words.term}
        required
        maxLength={100}
        value={term}
        onChange={(event) => setTerm(event.target.value)}
      />
      <TextArea
        label={words.meaning}
        hint={words.meaningHint}
        required
        maxLength={2000}
        value={meaning}
        onChange={(event) => setMeaning(event.target.value)}
      />
      <SourceChoice value={source} onChange={setSource} none={common.anySource} />
    </FormDialog>
  )
}
