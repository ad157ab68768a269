import type { Tenant } from '@dataagent/schema'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { useSettings } from '../../api/use-choices.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useWords } from '../../words/use-words.ts'
import { AddButton } from '../add-button.tsx'
import { adminWords } from '../admin-words.ts'
import type { TenantsSearch } from '../searches.ts'
import { TenantForm } from './tenant-form.tsx'
import { TenantsTable } from './tenants-table.tsx'
import { tenantsWords } from './tenants-words.ts'

const limit = 50

/** The customers of this installation, with what each may use and uses. */
export function TenantsPage() {
  const words = useWords(tenantsWords)
  const { sections } = useWords(adminWords)
  const client = useClient()
  const [{ offset = 0 }, change] = useAddress<TenantsSearch>()
  const [open, setOpen] = useState<'new' | Tenant>()
  const isSingle = useIsSingle()
  const query = useQuery({
    queryKey: ['tenants', 'list', offset],
    queryFn: ({ signal }) => client.tenants.list({ limit, offset }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title={sections.tenants}
      about={words.about}
      actions={<AddButton label={words.add} disabled={isSingle} onClick={() => setOpen('new')} />}
    >
      {isSingle && <Notice title={words.oneOnly}>{words.oneOnlyAbout}</Notice>}
      <QueryView query={query}>
        {({ tenants, total }) => (
          <>
            <TenantsTable tenants={tenants} onEdit={setOpen} />
            <Pager
              {...{ offset, limit, total, count: tenants.length }}
              onChange={(next) => change({ offset: next || undefined })}
            />
          </>
        )}
      </QueryView>
      {open && (
        <TenantForm tenant={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />
      )}
    </Page>
  )
}

function useIsSingle(): boolean {
  const { data } = useSettings()
  return data?.settings.find(({ name }) => name === 'multi_tenant')?.value === false
}
