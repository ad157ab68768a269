import type { Tenant } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { changesOf, newTenant, readTenant, type TenantFields, toFields } from './read-tenant.ts'
import { tenantsWords } from './tenants-words.ts'

interface TenantFormProps {
  /** To be changed; none is to be added. */
  tenant?: Tenant | undefined
  onClose(): void
}

export function TenantForm({ tenant, onClose }: TenantFormProps) {
  const words = useWords(tenantsWords)
  const common = useWords(adminWords)
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const [fields, setFields] = useState(() => (tenant ? toFields(tenant) : newTenant))

  const field = (name: keyof TenantFields) => ({
    value: fields[name],
    onChange: (event: { target: { value: string } }) =>
      setFields((old) => ({ ...old, [name]: event.target.value })),
  })
  const limit = { type: 'number', min: 0, hint: words.emptyIsNone } as const

  async function save() {
    const settings = readTenant(fields)
    const { tenant_id } = fields
    if (tenant) await client.tenants.update(tenant_id, changesOf(tenant, fields))
    else await client.tenants.create({ tenant_id, ...settings })
    await queries.invalidateQueries({ queryKey: ['tenants'] })
    toaster.done(tenant ? common.saved : words.added(settings.name))
  }

  return (
    <FormDialog
      title={tenant ? words.editTitle(tenant.name) : words.addTitle}
      action={tenant ? common.save : common.add}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {!tenant && (
          <TextField label={common.id} hint={common.idHint} required {...field('tenant_id')} />
        )}
        <TextField label={common.name} required maxLength={191} {...field('name')} />
        <TextField label={words.maxUsers} step={1} {...limit} {...field('max_users')} />
        <TextField
          label={words.maxSessions}
          step={1}
          {...limit}
          {...field('max_sessions_per_user')}
        />
        <TextField label={words.maxServers} step={1} {...limit} {...field('max_mcp_servers')} />
        <TextField
          label={words.quotaGib}
          step="any"
          {...limit}
          hint={words.emptyIsUsual}
          {...field('workspace_quota')}
        />
      </div>
      <TextArea
        label={words.features}
        hint={words.featuresHint}
        code
        rows={3}
        {...field('features_enabled')}
      />
    </FormDialog>
  )
}
