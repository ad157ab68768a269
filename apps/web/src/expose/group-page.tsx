import { isClientError } from '@dataagent/client'
import type { ToolGroupInfo } from '@dataagent/schema'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useWords } from '../words/use-words.ts'
import { BackLink } from './back-link.tsx'
import { CallsTab } from './calls-tab.tsx'
import { ClientsTab } from './clients-tab.tsx'
import { ConnectTab } from './connect/connect-tab.tsx'
import type { GroupTab } from './expose-search.ts'
import { exposeWords } from './expose-words.ts'
import { GatewayView, isOff } from './gateway-view.tsx'
import { GroupMenu } from './group-menu.tsx'
import { EnabledDot } from './group-table.tsx'
import { groupWords } from './group-words.ts'
import { ToolsTab } from './tools-tab.tsx'
import { useGroup } from './use-groups.ts'

const route = getRouteApi('/tools/expose/$groupId')

/** One tool group: how to connect, its tools, who is connected, what was called. */
export function GroupPage() {
  const { groupId } = route.useParams()
  const group = useGroup(groupId)
  if (group.data) return <Group group={group.data} />
  return <NoGroup query={group} />
}

function Group({ group }: { group: ToolGroupInfo }) {
  const words = useWords(groupWords)
  const { tab = 'connect' } = route.useSearch()
  const navigate = useNavigate()
  const open = (next: string) =>
    void navigate({ to: '.', search: { tab: next as GroupTab }, replace: true })
  const toConnect = <Button onClick={() => open('connect')}>{words.toConnect}</Button>
  return (
    <Page
      title={group.name}
      about={
        <span className="flex flex-col gap-1">
          <BackLink to="/tools/expose" text={words.all} />
          {group.description && <PlainText text={group.description} />}
        </span>
      }
      actions={
        <span className="flex items-center gap-3">
          {group.open_to_users && <Badge tone="info">{words.openToUsers}</Badge>}
          <EnabledDot group={group} />
          <GroupMenu group={group} onDeleted={() => void navigate({ to: '/tools/expose' })} />
        </span>
      }
    >
      <Tabs
        label={words.parts}
        value={tab}
        onChange={open}
        tabs={[
          { value: 'connect', label: words.connect, content: <ConnectTab group={group} /> },
          { value: 'tools', label: words.tools, content: <ToolsTab group={group} /> },
          { value: 'clients', label: words.clients, content: <ClientsTab group={group} /> },
          {
            value: 'calls',
            label: words.calls,
            content: <CallsTab group={group} action={toConnect} />,
          },
        ]}
      />
    </Page>
  )
}

function NoGroup({ query }: { query: ReturnType<typeof useGroup> }) {
  const words = useWords(groupWords)
  const expose = useWords(exposeWords)
  const isGone = isClientError(query.error, 'not_found') && !isOff(query.error)
  return (
    <Page title={expose.title} about={<BackLink to="/tools/expose" text={words.all} />}>
      {isGone ? (
        <Empty icon={<SearchX />} title={words.gone}>
          {words.goneAbout}
        </Empty>
      ) : (
        <GatewayView query={query}>{() => null}</GatewayView>
      )}
    </Page>
  )
}
