import { isClientError } from '@dataagent/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient, useIsAdmin } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { FaultText } from '../../tools/fault-text.tsx'
import { useSharedServers } from '../../tools/use-servers.ts'
import { Meter } from '../../ui/meter.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { DependencyList } from '../system/dependency-list.tsx'
import { overviewWords } from './overview-words.ts'
import { ApprovalsCard, RefusedCard, ServersCard, TodayCard } from './state-cards.tsx'
import { RateCard, RunningCard, ToolErrorsCard } from './turn-cards.tsx'
import { useMetrics, useTenantUsage } from './use-overview.ts'

/** How the installation fares, live. */
export function OverviewPage() {
  const words = useWords(overviewWords)
  const { sections } = useWords(adminWords)
  const metrics = useMetrics()
  return (
    <Page title={sections.overview} about={words.about}>
      <DemoNotice />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-3">
        <RunningCard />
        <RateCard />
        <ToolErrorsCard />
        <RefusedCard />
        <ServersCard />
        <ApprovalsCard />
        <TodayCard />
      </div>
      {isClientError(metrics.error, 'forbidden') && (
        <p className="text-[13px] text-soft">{words.noMetrics}</p>
      )}
      <div className="grid gap-3 md:grid-cols-3">
        <Panel title={words.dependencies}>
          <DependencyList />
        </Panel>
        <Panel title={words.limits}>
          <Limits />
        </Panel>
        <Panel title={words.attention}>
          <Attention />
        </Panel>
      </div>
    </Page>
  )
}

/** While nobody has given a key, the first thing to do. */
function DemoNotice() {
  const words = useWords(overviewWords)
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['models'],
    queryFn: ({ signal }) => client.models.list({ signal }),
    enabled: useIsAdmin(),
  })
  if (!data?.models.some(({ is_default, provider_id }) => is_default && provider_id === 'demo')) {
    return null
  }
  return (
    <Notice
      title={words.demoModel}
      action={
        <Link to="/admin/models" className="text-accent underline">
          {words.toModels}
        </Link>
      }
    >
      {words.demoModelAbout}
    </Notice>
  )
}

function Limits() {
  const words = useWords(overviewWords)
  const common = useWords(adminWords)
  const formats = useFormats()
  const text = (value: number, max: number | null) =>
    max === null
      ? words.unlimited(formats.number(value))
      : common.of(formats.number(value), formats.number(max))
  return (
    <QueryView query={useTenantUsage()}>
      {({ users, mcp_servers, limits: { max_users, max_mcp_servers } }) => (
        <div className="flex flex-col gap-3">
          <Meter
            value={users}
            max={max_users}
            text={words.labelled(words.users, text(users, max_users))}
          />
          <Meter
            value={mcp_servers}
            max={max_mcp_servers}
            text={words.labelled(words.servers, text(mcp_servers, max_mcp_servers))}
          />
        </div>
      )}
    </QueryView>
  )
}

/** Servers that an administrator must look at, with the reason that each gives. */
function Attention() {
  const words = useWords(overviewWords)
  return (
    <QueryView query={useSharedServers()}>
      {(servers) => {
        const down = servers.filter(({ disabled, status }) => !disabled && status === 'error')
        if (down.length === 0) return <p className="text-sm text-soft">{words.attentionNone}</p>
        return (
          <ul className="flex flex-col gap-2 text-sm">
            {down.map(({ server_id, name, status_message = '', status_fault }) => (
              <li key={server_id}>
                <Link
                  to="/tools/servers/$serverId"
                  params={{ serverId: server_id }}
                  className="font-medium text-accent underline"
                >
                  <PlainText text={name} />
                </Link>
                <div className="text-[13px] text-soft [overflow-wrap:anywhere]">
                  <FaultText fault={status_fault} message={status_message} />
                </div>
              </li>
            ))}
          </ul>
        )
      }}
    </QueryView>
  )
}
