import type { Change } from '@dataagent/schema'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMe } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { useUserChoices } from '../../api/use-choices.ts'
import { toDay } from '../../ui/day.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SuggestField } from '../../ui/suggest-field.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { CsvButton } from '../csv-button.tsx'
import type { AuditSearch } from '../searches.ts'
import { auditWords } from './audit-words.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { ChangesTable } from './changes-table.tsx'
import { changesWords } from './changes-words.ts'
import { FilterForm } from './filter-form.tsx'
import { isFiltered, toChangeFilters } from './filters.ts'

const limit = 50
const none = {
  ...{ user: undefined, kind: undefined, target: undefined, platform: undefined },
  ...{ from: undefined, to: undefined, offset: undefined },
}

const csvColumns = [
  ...(['changed_at', 'user_id', 'role', 'kind', 'target', 'action', 'before', 'after'] as const),
  ...(['api_key', 'tenant_id', 'change_id'] as const),
]

/** What somebody has changed, newest first. */
export function ChangesPanel() {
  const words = useWords(changesWords)
  const { noMatch } = useWords(auditWords)
  const client = useClient()
  const [search, change] = useAddress<AuditSearch>()
  const [open, setOpen] = useState<Change>()
  const { offset = 0 } = search
  const filters = toChangeFilters(search)
  const query = useQuery({
    queryKey: ['audit', 'changes', filters, offset],
    queryFn: ({ signal }) => client.audit.changes({ ...filters, limit, offset }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
  return (
    <div className="flex flex-col gap-4">
      <FilterForm filters={filters} none={none} onApply={change}>
        <ChangeFields search={search} />
      </FilterForm>
      <div className="flex justify-end">
        <CsvButton
          {...{ name: 'changes', columns: csvColumns }}
          load={async (page, options) => {
            const { changes, more } = await client.audit.changes({ ...filters, ...page }, options)
            return { rows: changes, more }
          }}
        />
      </div>
      <QueryView query={query}>
        {({ changes, more }) => (
          <>
            {changes.length === 0 ? (
              <Empty title={isFiltered(filters) ? noMatch : words.empty}>{words.emptyAbout}</Empty>
            ) : (
              <ChangesTable changes={changes} onOpen={setOpen} />
            )}
            <Pager
              {...{ offset, limit, more, count: changes.length }}
              onChange={(next) => change({ offset: next || undefined })}
            />
          </>
        )}
      </QueryView>
      {open && <ChangeDialog change={open} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

function ChangeFields({ search }: { search: AuditSearch }) {
  const words = useWords(changesWords)
  const { from, to } = useWords(auditWords)
  const common = useWords(adminWords)
  const { role } = useMe()
  const users = useUserChoices().data?.users ?? []
  return (
    <>
      <SelectField label={words.kind} name="kind" defaultValue={search.kind ?? ''}>
        <option value="">{common.all}</option>
        {Object.entries(words.kinds).map(([kind, text]) => (
          <option key={kind} value={kind}>
            {text}
          </option>
        ))}
      </SelectField>
      <TextField label={words.target} name="target" defaultValue={search.target} />
      <SuggestField
        label={common.user}
        name="user"
        defaultValue={search.user}
        options={users.map(({ user_id, name }) => ({ value: user_id, label: name }))}
      />
      {role === 'platform_admin' && (
        <SelectField label={words.scope} name="platform" defaultValue={search.platform ?? ''}>
          <option value="">{words.ownTenant}</option>
          <option value="true">{words.platform}</option>
        </SelectField>
      )}
      <TextField label={from} name="from" type="date" defaultValue={toDay(search.from)} />
      <TextField
        label={to}
        name="to"
        type="date"
        defaultValue={toDay(search.to === undefined ? undefined : search.to - 1)}
      />
    </>
  )
}
