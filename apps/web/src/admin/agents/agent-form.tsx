import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { SuggestField } from '../../ui/suggest-field.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { AgentSwitches } from './agent-switches.tsx'
import { agentsWords } from './agents-words.ts'
import { type AgentFields, changesOf, newAgent, readAgent, toFields } from './read-agent.ts'
import { useAgentDetails } from './use-agent-details.ts'

interface AgentFormProps {
  /** To be changed; none is to be added. */
  assistant_id: string | undefined
  onClose(): void
}

export function AgentForm({ assistant_id, onClose }: AgentFormProps) {
  const words = useWords(agentsWords)
  const query = useAgentDetails(assistant_id)
  if (assistant_id === undefined) return <Filled start={newAgent} isNew onClose={onClose} />
  if (query.data) return <Filled start={toFields(query.data)} onClose={onClose} />
  return (
    <Dialog title={words.editTitle(assistant_id)} onClose={onClose}>
      <QueryView query={query}>{() => null}</QueryView>
    </Dialog>
  )
}

interface FilledProps {
  start: AgentFields
  isNew?: boolean
  onClose(): void
}

function Filled({ start, isNew = false, onClose }: FilledProps) {
  const words = useWords(agentsWords)
  const common = useWords(adminWords)
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const [before] = useState(start)
  const [fields, setFields] = useState(before)
  const change = (part: Partial<AgentFields>) => setFields((old) => ({ ...old, ...part }))
  const models = useModels()

  const field = <N extends keyof AgentFields>(name: N) => ({
    value: String(fields[name]),
    onChange: (event: { target: { value: string } }) =>
      change({ [name]: event.target.value } as Partial<AgentFields>),
  })

  async function save() {
    const { assistant_id, ...settings } = readAgent(fields)
    if (isNew) await client.agents.create({ assistant_id, ...settings })
    else await client.agents.update(assistant_id, changesOf(before, fields))
    await queries.invalidateQueries({ queryKey: ['agents'] })
    toaster.done(isNew ? words.added(settings.name) : common.saved)
  }

  return (
    <FormDialog
      title={isNew ? words.addTitle : words.editTitle(start.name)}
      action={isNew ? common.add : common.save}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {isNew && (
          <TextField label={common.id} hint={common.idHint} required {...field('assistant_id')} />
        )}
        <TextField label={common.name} required maxLength={191} {...field('name')} />
      </div>
      <TextField
        label={words.description}
        hint={words.descriptionHint}
        maxLength={2000}
        {...field('description')}
      />
      <SuggestField
        label={words.model}
        hint={words.modelHint}
        options={models}
        {...field('model')}
      />
      <TextArea
        label={words.prompt}
        hint={words.promptHint}
        rows={6}
        maxLength={100_000}
        {...field('system_prompt')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label={words.toolMode} {...field('tool_mode')}>
          {Object.entries(words.toolModes).map(([mode, text]) => (
            <option key={mode} value={mode}>
              {text}
            </option>
          ))}
        </SelectField>
        <TextField
          label={words.budget}
          hint={words.budgetHint}
          type="number"
          min={0}
          {...field('tool_budget_tokens')}
        />
        <SelectField label={words.onReject} {...field('on_reject')}>
          {Object.entries(words.onRejects).map(([what, text]) => (
            <option key={what} value={what}>
              {text}
            </option>
          ))}
        </SelectField>
        <TextField
          label={words.maxTurns}
          type="number"
          min={1}
          max={1000}
          required
          {...field('max_turns')}
        />
      </div>
      <AgentSwitches fields={fields} onChange={change} />
    </FormDialog>
  )
}

function useModels() {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['models'],
    queryFn: ({ signal }) => client.models.list({ signal }),
  })
  return data?.models.map(({ model }) => ({ value: model })) ?? []
}
