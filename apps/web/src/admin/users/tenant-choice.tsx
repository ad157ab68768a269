import { useQuery } from '@tanstack/react-query'
import { useClient, useMe } from '../../api/api-context.ts'
import { SelectField } from '../../ui/field.tsx'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { usersWords } from './users-words.ts'

interface TenantChoiceProps {
  tenant_id: string
  /** Undefined is the caller's own. */
  onChange(tenant_id: string | undefined): void
}

/** Which tenant is looked at, for those who manage several. Nothing where there is one. */
export function TenantChoice({ tenant_id, onChange }: TenantChoiceProps) {
  const words = useWords(usersWords)
  const common = useWords(adminWords)
  const client = useClient()
  const me = useMe()
  const { data } = useQuery({
    queryKey: ['tenants', 'choices'],
    queryFn: ({ signal }) => client.tenants.list({ limit: 200 }, { signal }),
  })
  const others = data?.tenants.filter((tenant) => tenant.tenant_id !== me.tenant_id) ?? []
  if (others.length === 0) return null
  return (
    <SelectField
      label={common.tenant}
      className="max-w-xs"
      value={tenant_id}
      onChange={({ target: { value } }) => onChange(value === me.tenant_id ? undefined : value)}
    >
      <option value={me.tenant_id}>{words.ownTenant(me.tenant_id)}</option>
      {others.map((tenant) => (
        <option key={tenant.tenant_id} value={tenant.tenant_id}>
          {tenant.name}
        </option>
      ))}
    </SelectField>
  )
}
