import { toolCallStatusSchema } from '@dataagent/schema'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useClient } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { useServerChoices, useUserChoices } from '../../api/use-choices.ts'
import { toDay } from '../../ui/day.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SuggestField } from '../../ui/suggest-field.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import type { AuditSearch } from '../searches.ts'
import { auditWords } from './audit-words.ts'
import { CallDialog } from './call-dialog.tsx'
import { CallsTable } from './calls-table.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { FilterForm } from './filter-form.tsx'
import { isFiltered, toCallFilters } from './filters.ts'

const limit = 50
const none = {
  ...{ user: undefined, agent: undefined, server: undefined, tool: undefined, status: undefined },
  ...{ session: undefined, trace: undefined, from: undefined, to: undefined, offset: undefined },
}

/** Every call of a tool, newest first. */
export function CallsPanel() {
  const words = useWords(auditWords)
  const client = useClient()
  const [search, change] = useAddress<AuditSearch>()
  const { offset = 0, call } = search
  const filters = toCallFilters(search)
  const query = useQuery({
    queryKey: ['audit', 'calls', filters, offset],
    queryFn: ({ signal }) => client.audit.calls({ ...filters, limit, offset }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
  return (
    <div className="flex flex-col gap-4">
      <FilterForm filters={filters} none={none} onApply={change}>
        <CallFields search={search} />
      </FilterForm>
      <QueryView query={query}>
        {({ calls, more }) => (
          <>
            {calls.length > 0 && <ExportButtons filters={filters} />}
            {calls.length === 0 ? (
              <Empty title={isFiltered(filters) ? words.noMatch : words.noCalls}>
                {words.noCallsAbout}
              </Empty>
            ) : (
              <CallsTable calls={calls} onOpen={({ call_id }) => change({ call: call_id })} />
            )}
            <Pager
              {...{ offset, limit, more, count: calls.length }}
              onChange={(next) => change({ offset: next || undefined })}
            />
          </>
        )}
      </QueryView>
      {call !== undefined && (
        <CallDialog call_id={call} onClose={() => change({ call: undefined })} />
      )}
    </div>
  )
}

function CallFields({ search }: { search: AuditSearch }) {
  const words = useWords(auditWords)
  const common = useWords(adminWords)
  const users = useUserChoices().data?.users ?? []
  const servers = useServerChoices().data?.servers ?? []
  return (
    <>
      <SuggestField
        label={common.user}
        name="user"
        defaultValue={search.user}
        options={users.map(({ user_id, name }) => ({ value: user_id, label: name }))}
      />
      <SuggestField
        label={common.server}
        name="server"
        defaultValue={search.server}
        options={servers.map(({ server_id, name }) => ({ value: server_id, label: name }))}
      />
      <TextField label={common.tool} name="tool" defaultValue={search.tool} />
      <SelectField label={words.status} name="status" defaultValue={search.status ?? ''}>
        <option value="">{common.all}</option>
        {toolCallStatusSchema.options.map((status) => (
          <option key={status} value={status}>
            {words.statuses[status]}
          </option>
        ))}
      </SelectField>
      <TextField label={common.agent} name="agent" defaultValue={search.agent} />
      <TextField label={words.session} name="session" defaultValue={search.session} />
      <TextField label={words.trace} name="trace" defaultValue={search.trace} />
      <TextField label={words.from} name="from" type="date" defaultValue={toDay(search.from)} />
      <TextField
        label={words.to}
        name="to"
        type="date"
        defaultValue={toDay(search.to === undefined ? undefined : search.to - 1)}
      />
    </>
  )
}
