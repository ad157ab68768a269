import { type DataSource, sourceKindSchema } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { SelectField, Switch, TextArea, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { dataWords } from '../data-words.ts'
import { LocationFields } from './location-fields.tsx'
import { readLocation, type SourceFields, toFields } from './read-source.ts'
import { sourcesWords } from './sources-words.ts'

interface SourceFormProps {
  /** To be changed; none is to be added. */
  source: DataSource | undefined
  onClose(): void
}

export function SourceForm({ source, onClose }: SourceFormProps) {
  const words = useWords(sourcesWords)
  const common = useWords(dataWords)
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const [fields, setFields] = useState(() => toFields(source))
  const [isMoved, setMoved] = useState(source === undefined)
  const change = (part: Partial<SourceFields>) => setFields((old) => ({ ...old, ...part }))

  async function save() {
    const told = { name: fields.name.trim(), description: fields.description.trim() }
    if (source) {
      const moved = isMoved && { location: readLocation(fields) }
      await client.data.updateSource(source.source_id, { ...told, ...moved })
    } else await client.data.createSource({ ...told, location: readLocation(fields) })
    await queries.invalidateQueries({ queryKey: ['data'] })
    toaster.done(source ? common.saved : words.added(told.name))
  }

  return (
    <FormDialog
      title={source ? words.formEdit(source.name) : words.formAdd}
      action={source ? common.save : common.add}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={words.name}
          hint={words.nameHint}
          required
          maxLength={191}
          value={fields.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        {isMoved && (
          <SelectField
            label={words.kind}
            value={fields.kind}
            onChange={(event) => change({ kind: sourceKindSchema.parse(event.target.value) })}
          >
            {sourceKindSchema.options.map((kind) => (
              <option key={kind} value={kind}>
                {words.kinds[kind]}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      <TextArea
        label={words.description}
        hint={words.descriptionHint}
        rows={2}
        maxLength={2000}
        value={fields.description}
        onChange={(event) => change({ description: event.target.value })}
      />
      {source && (
        <Switch
          label={words.changeLocation}
          hint={words.changeHint}
          checked={isMoved}
          onChange={setMoved}
        />
      )}
      {isMoved && <LocationFields fields={fields} onChange={change} />}
    </FormDialog>
  )
}
