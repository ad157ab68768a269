import type { WorkspacesPage } from '@dataagent/schema'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useClient, useMe } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { StateDot, type Tone } from '../../ui/badge.tsx'
import { NameAndId } from '../../ui/details.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { CsvButton } from '../csv-button.tsx'
import type { WorkspacesSearch } from '../searches.ts'
import { TenantChoice } from '../users/tenant-choice.tsx'
import { workspacesWords } from './workspaces-words.ts'

const limit = 50
const csvColumns = ['user_id', 'name', 'status', 'bytes', 'quota_bytes', 'used_at'] as const

/** The workspaces of a tenant's users: sizes and times, never what is in them. */
export function WorkspaceList() {
  const words = useWords(workspacesWords)
  const client = useClient()
  const me = useMe()
  const [search, change] = useAddress<WorkspacesSearch>()
  const { tenant: tenant_id = me.tenant_id, q, offset = 0 } = search
  const query = useQuery({
    queryKey: ['workspaces', tenant_id, q, offset],
    queryFn: ({ signal }) => client.files.workspaces({ limit, offset, tenant_id, q }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel title={words.all}>
      {me.role === 'platform_admin' && (
        <TenantChoice
          tenant_id={tenant_id}
          onChange={(tenant) => change({ tenant, offset: undefined })}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <SearchField
          label={words.search}
          value={q ?? ''}
          onChange={(text) => change({ q: text || undefined, offset: undefined })}
        />
        <CsvButton
          {...{ name: 'workspaces', columns: csvColumns }}
          load={async (page, options) => {
            const { workspaces, total } = await client.files.workspaces(
              { ...page, tenant_id, q },
              options,
            )
            return { rows: workspaces, total }
          }}
        />
      </div>
      <QueryView query={query}>
        {({ workspaces, total }) => (
          <>
            {workspaces.length === 0 ? (
              <Empty title={words.noMatch} />
            ) : (
              <WorkspaceTable workspaces={workspaces} />
            )}
            <Pager
              {...{ offset, limit, total, count: workspaces.length }}
              onChange={(next) => change({ offset: next || undefined })}
            />
          </>
        )}
      </QueryView>
    </Panel>
  )
}

type Row = WorkspacesPage['workspaces'][number]
const tones: Record<Row['status'], Tone> = {
  ...{ active: 'good', archived: 'info', none: 'plain', unknown: 'wait' },
}

function WorkspaceTable({ workspaces }: { workspaces: readonly Row[] }) {
  const words = useWords(workspacesWords)
  const common = useWords(adminWords)
  const formats = useFormats()
  const columns: Column<Row>[] = [
    {
      ...{ name: 'user', head: common.user },
      cell: ({ name, user_id }) => <NameAndId name={name} id={user_id} />,
    },
    {
      ...{ name: 'state', head: common.state },
      cell: ({ status }) => <StateDot tone={tones[status]} text={words.status[status]} />,
    },
    {
      ...{ name: 'size', head: words.size, className: 'min-w-44' },
      cell: ({ name, status, bytes, quota_bytes }) =>
        status !== 'none' &&
        (bytes === null ? (
          <span className="text-sm text-soft">{words.sizeUnknown}</span>
        ) : (
          <Meter
            label={words.sizeOf(name)}
            value={bytes}
            max={quota_bytes}
            text={words.used(formats.bytes(bytes), formats.bytes(quota_bytes))}
          />
        )),
    },
    {
      ...{ name: 'used', head: words.lastUsed },
      cell: ({ used_at, status }) =>
        used_at !== null && (
          <span className="whitespace-nowrap" title={formats.time(used_at)}>
            {status === 'archived' ? words.archivedAt(formats.ago(used_at)) : formats.ago(used_at)}
          </span>
        ),
    },
  ]
  return (
    <Table
      caption={words.all}
      columns={columns}
      rows={workspaces}
      keyOf={({ tenant_id, user_id }) => `${tenant_id}/${user_id}`}
    />
  )
}
