import type { ProviderInfo } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMe } from '../../api/api-context.ts'
import { SelectField, Switch, TextArea, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { modelsWords } from './models-words.ts'
import { newProvider, type ProviderFields, readProvider, toFields } from './read-provider.ts'

interface ProviderFormProps {
  /** To be changed; none is to be added. */
  provider: ProviderInfo | undefined
  onClose(): void
}

export function ProviderForm({ provider, onClose }: ProviderFormProps) {
  const words = useWords(modelsWords)
  const common = useWords(adminWords)
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const { role } = useMe()
  const [fields, setFields] = useState(() => (provider ? toFields(provider) : newProvider))
  const change = (part: Partial<ProviderFields>) => setFields((old) => ({ ...old, ...part }))

  const field = (name: Exclude<keyof ProviderFields, 'calls_tools'>) => ({
    value: fields[name],
    onChange: (event: { target: { value: string } }) =>
      change({ [name]: event.target.value } as Partial<ProviderFields>),
  })

  async function save() {
    const { provider_id, scope } = fields
    const settings = readProvider(fields)
    if (provider) await client.modelProviders.update(provider_id, settings)
    else await client.modelProviders.create({ provider_id, scope, ...settings })
    await Promise.all(
      ['providers', 'models'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
    )
    toaster.done(provider ? common.saved : words.added(settings.name))
  }

  return (
    <FormDialog
      title={provider ? words.editTitle(provider.name) : words.addTitle}
      action={provider ? common.save : common.add}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {!provider && (
          <TextField
            label={common.id}
            hint={words.idHint}
            required
            pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
            {...field('provider_id')}
          />
        )}
        <TextField label={common.name} maxLength={191} {...field('name')} />
        <SelectField label={words.kind} {...field('kind')}>
          <option value="openai">{words.kinds.openai}</option>
          <option value="anthropic">{words.kinds.anthropic}</option>
        </SelectField>
        {!provider && role === 'platform_admin' && (
          <SelectField label={words.scope} {...field('scope')}>
            <option value="tenant">{words.scopes.tenant}</option>
            <option value="platform">{words.scopes.platform}</option>
          </SelectField>
        )}
      </div>
      <TextField
        label={words.baseUrl}
        hint={words.baseUrlHint}
        type="url"
        maxLength={2048}
        {...field('base_url')}
      />
      <TextField
        label={words.apiKey}
        hint={provider?.api_key ? words.apiKeyKept : words.apiKeyHint}
        type="password"
        autoComplete="new-password"
        {...field('api_key')}
      />
      <TextArea label={words.models} hint={words.modelsHint} required code {...field('models')} />
      <Switch
        label={words.callsTools}
        hint={words.callsToolsHint}
        checked={fields.calls_tools}
        onChange={(calls_tools) => change({ calls_tools })}
      />
    </FormDialog>
  )
}
