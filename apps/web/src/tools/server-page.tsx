import { isClientError } from '@dataagent/client'
import type { ServerInfo } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, Unplug } from 'lucide-react'
import { useClient, useMe } from '../api/api-context.ts'
import { QueryView } from '../api/query-view.tsx'
import { Badge } from '../ui/badge.tsx'
import { Empty } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Tab, Tabs } from '../ui/tabs.tsx'
import { useWords } from '../words/use-words.ts'
import { ServerActions } from './list/server-actions.tsx'
import { Access } from './server/access.tsx'
import { Calls } from './server/calls.tsx'
import { Health } from './server/health.tsx'
import { serverWords } from './server/server-words.ts'
import { Settings } from './server/settings.tsx'
import { ToolList } from './server/tool-list.tsx'
import { Waiting } from './server/waiting.tsx'
import { TabPanel } from './tab-panel.tsx'
import type { ServerTab } from './tools-search.ts'
import { toolsWords } from './tools-words.ts'
import { serversKey, usePendingTools, useRights } from './use-servers.ts'

const route = getRouteApi('/tools/servers/$serverId')

/** One server: its tools to look at and to try, the caller's access, calls and settings. */
export function ServerPage() {
  const words = useWords(serverWords)
  const client = useClient()
  const { serverId } = route.useParams()
  const query = useQuery({
    queryKey: [serversKey, 'one', serverId],
    queryFn: ({ signal }) => client.servers.get(serverId, { signal }),
    refetchInterval: 3000,
  })
  const isGone = query.data === undefined && isClientError(query.error, 'not_found')
  return (
    <div>
      <p className="mx-auto max-w-6xl px-4 pt-4 sm:px-6">
        <Link
          to="/tools"
          className="inline-flex items-center gap-1 text-sm text-soft hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-4" /> {words.back}
        </Link>
      </p>
      {isGone ? (
        <Page title={words.gone}>
          <Empty icon={<Unplug />} title={words.gone}>
            {words.goneAbout}
          </Empty>
        </Page>
      ) : query.data ? (
        <Shown info={query.data} />
      ) : (
        <Page title={serverId}>
          <QueryView query={query}>{() => null}</QueryView>
        </Page>
      )}
    </div>
  )
}

function Shown({ info }: { info: ServerInfo }) {
  const { transports, scopes } = useWords(toolsWords)
  const navigate = useNavigate()
  const { name, description, transport, scope } = info
  return (
    <Page
      title={name}
      about={description && description !== name && <PlainText text={description} />}
      actions={
        <ServerActions isDetail info={info} onDeleted={() => void navigate({ to: '/tools' })} />
      }
    >
      <div className="-mt-3 flex flex-wrap gap-2">
        <Badge tone="accent">{scopes[scope]}</Badge>
        <Badge>{transports[transport]}</Badge>
      </div>
      <Health info={info} />
      <Parts info={info} />
    </Page>
  )
}

function Parts({ info }: { info: ServerInfo }) {
  const words = useWords(serverWords)
  const { role } = useMe()
  const { tab = 'tools' } = route.useSearch()
  const navigate = route.useNavigate()
  const { mayManage } = useRights(info)
  const { data: pending = [] } = usePendingTools()
  const waiting = pending.filter(({ tool }) => tool.server_id === info.server_id)
  const mayUse = role !== 'auditor'
  const tabs: (Tab | false)[] = [
    mayUse && {
      value: 'tools',
      label: words.tools,
      content: (
        <TabPanel title={words.tools}>
          <ToolList info={info} />
        </TabPanel>
      ),
    },
    mayManage && {
      value: 'waiting',
      label: (
        <>
          {words.waiting}
          {waiting.length > 0 && (
            <span className="ml-1.5">
              <Badge tone="wait">{waiting.length}</Badge>
            </span>
          )}
        </>
      ),
      content: (
        <TabPanel title={words.waiting}>
          <Waiting waiting={waiting} />
        </TabPanel>
      ),
    },
    mayUse && {
      value: 'access',
      label: words.access,
      content: (
        <TabPanel title={words.access}>
          <Access info={info} />
        </TabPanel>
      ),
    },
    {
      value: 'calls',
      label: words.calls,
      content: (
        <TabPanel title={words.calls}>
          <Calls server_id={info.server_id} />
        </TabPanel>
      ),
    },
    {
      value: 'settings',
      label: words.settings,
      content: (
        <TabPanel title={words.settings}>
          <Settings info={info} />
        </TabPanel>
      ),
    },
  ]
  const shown = tabs.filter((each) => each !== false)
  const chosen = shown.some(({ value }) => value === tab) ? tab : (shown[0]?.value ?? '')
  return (
    <Tabs
      label={words.tabs}
      tabs={shown}
      value={chosen}
      onChange={(value) => void navigate({ search: { tab: value as ServerTab } })}
    />
  )
}
