import type { Tenant } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { EllipsisVertical } from 'lucide-react'
import { useClient } from '../../api/api-context.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { NameAndId } from '../../ui/details.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Meter } from '../../ui/meter.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { tenantsWords } from './tenants-words.ts'

interface TenantsTableProps {
  tenants: readonly Tenant[]
  onEdit(tenant: Tenant): void
}

export function TenantsTable({ tenants, onEdit }: TenantsTableProps) {
  const words = useWords(tenantsWords)
  const common = useWords(adminWords)
  const formats = useFormats()
  const navigate = useNavigate()
  const go = (to: '/admin/users' | '/admin/usage', { tenant_id }: Tenant) =>
    void navigate({ to, search: { tenant: tenant_id } })
  const columns: Column<Tenant>[] = [
    {
      ...{ name: 'tenant', head: common.tenant },
      cell: ({ tenant_id, name }) => <NameAndId name={name} id={tenant_id} />,
    },
    {
      ...{ name: 'users', head: words.users },
      cell: (tenant) => <Used tenant={tenant} what="users" max={tenant.max_users} />,
    },
    {
      ...{ name: 'servers', head: words.servers },
      cell: (tenant) => <Used tenant={tenant} what="mcp_servers" max={tenant.max_mcp_servers} />,
    },
    {
      ...{ name: 'running', head: words.running },
      cell: (tenant) => <Used tenant={tenant} what="running_turns" />,
    },
    {
      ...{ name: 'sessions', head: words.sessions },
      cell: ({ max_sessions_per_user: max }) =>
        max === null ? common.noLimit : formats.number(max),
    },
    {
      ...{ name: 'quota', head: words.quota },
      cell: ({ workspace_quota }) =>
        workspace_quota === null
          ? words.usualQuota
          : words.gib(formats.number(workspace_quota / 2 ** 30)),
    },
    {
      ...{ name: 'features', head: words.features },
      cell: ({ features_enabled }) => (
        <span className="flex w-max max-w-56 flex-wrap gap-1">
          {features_enabled.map((feature) => (
            <Badge key={feature} tone={feature.startsWith('-') ? 'wait' : 'plain'}>
              {feature === '*' ? words.allFeatures : <PlainText text={feature} />}
            </Badge>
          ))}
        </span>
      ),
    },
    {
      ...{ name: 'actions', head: common.actions },
      cell: (tenant) => (
        <span className="flex items-center gap-1">
          <Button size="small" onClick={() => onEdit(tenant)}>
            {common.edit}
          </Button>
          <Menu
            trigger={
              <IconButton size="small" label={common.menu(tenant.name)}>
                <EllipsisVertical className="size-4" />
              </IconButton>
            }
            items={[
              { label: words.toUsers, onSelect: () => go('/admin/users', tenant) },
              { label: words.toUsage, onSelect: () => go('/admin/usage', tenant) },
            ]}
          />
        </span>
      ),
    },
  ]
  return (
    <Table
      caption={words.list}
      columns={columns}
      rows={tenants}
      keyOf={({ tenant_id }) => tenant_id}
    />
  )
}

interface UsedProps {
  tenant: Tenant
  what: 'users' | 'mcp_servers' | 'running_turns'
  max?: number | null
}

/** How many there are of it; with a limit, beside that. */
function Used({ tenant: { tenant_id, name }, what, max }: UsedProps) {
  const common = useWords(adminWords)
  const formats = useFormats()
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['tenants', tenant_id, 'usage'],
    queryFn: ({ signal }) => client.tenants.usage(tenant_id, { signal }),
    refetchInterval: 10_000,
  })
  if (!data) return '…'
  const value = formats.number(data[what])
  if (max === undefined || max === null) return value
  const text = common.of(value, formats.number(max))
  return <Meter label={name} value={data[what]} max={max} text={text} />
}
