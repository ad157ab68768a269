import type { UsageReport } from '@dataagent/schema'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useClient, useMe } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import type { UsageSearch } from '../searches.ts'
import { TenantChoice } from '../users/tenant-choice.tsx'
import { UsageReportView } from './usage-report.tsx'
import { usageWords } from './usage-words.ts'

type By = UsageReport['by']
const bys: readonly By[] = ['day', 'model', 'user', 'assistant']
const periods = [1, 7, 30, 90, 365]

/** What turns have used, by whom and by what. */
export function UsagePage() {
  const words = useWords(usageWords)
  const { sections } = useWords(adminWords)
  const me = useMe()
  const [search, change] = useAddress<UsageSearch>()
  const { days = 30, tenant = me.tenant_id } = search
  const by = bys.find((one) => one === search.by) ?? 'day'
  const query = useReport({ by, days, tenant_id: tenant })
  return (
    <Page title={sections.usage} about={words.about}>
      <div className="flex flex-wrap gap-3">
        <SelectField
          label={words.by}
          value={by}
          onChange={(event) => change({ by: event.target.value })}
        >
          {bys.map((one) => (
            <option key={one} value={one}>
              {words.bys[one]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={words.period}
          value={days}
          onChange={(event) => change({ days: Number(event.target.value) })}
        >
          {[...new Set([...periods, days])]
            .sort((a, b) => a - b)
            .map((count) => (
              <option key={count} value={count}>
                {words.days(count)}
              </option>
            ))}
        </SelectField>
        {me.role === 'platform_admin' && (
          <TenantChoice tenant_id={tenant} onChange={(next) => change({ tenant: next })} />
        )}
      </div>
      <QueryView query={query}>
        {(report) =>
          report.rows.length === 0 ? (
            <Empty icon={<ChartColumn />} title={words.empty}>
              {words.emptyAbout}
            </Empty>
          ) : (
            <UsageReportView report={report} />
          )
        }
      </QueryView>
    </Page>
  )
}

function useReport({ by, days, tenant_id }: { by: By; days: number; tenant_id: string }) {
  const client = useClient()
  return useQuery({
    queryKey: ['usage', tenant_id, by, days],
    queryFn: ({ signal }) =>
      client.usage.report({ by, tenant_id, from: startOf(days) }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
}

/** Whole days: today in UTC is the last of them. */
function startOf(days: number): number {
  const today = Math.floor(Date.now() / 86_400_000)
  return Math.max(0, (today - days + 1) * 86_400_000)
}
