import type { User } from '@dataagent/schema'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useClient, useIsAdmin, useMe } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { CsvButton } from '../csv-button.tsx'
import type { UsersSearch } from '../searches.ts'
import { TenantChoice } from './tenant-choice.tsx'
import { UserDialog } from './user-dialog.tsx'
import { UserForm } from './user-form.tsx'
import { UsersTable } from './users-table.tsx'
import { usersWords } from './users-words.ts'

const limit = 50
const csvColumns = ['user_id', 'name', 'role', 'disabled_at', 'created_at'] as const

/** People of a tenant. Auditors read; administrators add, change and give keys. */
export function UsersPage() {
  const words = useWords(usersWords)
  const { sections } = useWords(adminWords)
  const client = useClient()
  const me = useMe()
  const isAdmin = useIsAdmin()
  const [search, change] = useAddress<UsersSearch>()
  const { offset = 0, tenant: tenant_id = me.tenant_id, user, q } = search
  const [form, setForm] = useState<'new' | User>()
  const query = useQuery({
    queryKey: ['users', 'list', tenant_id, q, offset],
    queryFn: ({ signal }) => client.users.list({ limit, offset, tenant_id, q }, { signal }),
    placeholderData: keepPreviousData,
  })
  const add = isAdmin && (
    <Button
      kind="primary"
      icon={<UserPlus aria-hidden="true" className="size-4" />}
      onClick={() => setForm('new')}
    >
      {words.add}
    </Button>
  )
  return (
    <Page title={sections.users} about={isAdmin ? words.about : words.aboutRead} actions={add}>
      {me.role === 'platform_admin' && (
        <TenantChoice
          tenant_id={tenant_id}
          onChange={(tenant) => change({ tenant, offset: undefined, user: undefined })}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <SearchField
          label={words.search}
          value={q ?? ''}
          onChange={(text) => change({ q: text || undefined, offset: undefined })}
        />
        <CsvButton
          {...{ name: 'users', columns: csvColumns }}
          load={async (page, options) => {
            const { users, total } = await client.users.list({ ...page, tenant_id, q }, options)
            return { rows: users, total }
          }}
        />
      </div>
      <QueryView query={query}>
        {({ users, total }) =>
          total === 0 && q ? (
            <Empty title={words.noMatch(q)} />
          ) : total === 0 ? (
            <Empty title={words.empty} action={add}>
              {words.emptyAbout}
            </Empty>
          ) : (
            <>
              <UsersTable
                users={users}
                onEdit={setForm}
                onOpen={({ user_id }) => change({ user: user_id })}
              />
              <Pager
                {...{ offset, limit, total, count: users.length }}
                onChange={(next) => change({ offset: next || undefined })}
              />
            </>
          )
        }
      </QueryView>
      {form && (
        <UserForm
          user={form === 'new' ? undefined : form}
          tenant_id={tenant_id}
          onClose={() => setForm(undefined)}
        />
      )}
      {isAdmin && user !== undefined && (
        <UserDialog {...{ tenant_id, user_id: user }} onClose={() => change({ user: undefined })} />
      )}
    </Page>
  )
}
