import type { ServerInfo } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Wrench } from 'lucide-react'
import { useClient } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useWords } from '../../words/use-words.ts'
import { serversKey } from '../use-servers.ts'
import { serverWords } from './server-words.ts'
import { ToolItem } from './tool-item.tsx'

const route = getRouteApi('/tools/servers/$serverId')
const limit = 25

/** The tools of a server that the caller may call. */
export function ToolList({ info: { server_id } }: { info: ServerInfo }) {
  const words = useWords(serverWords)
  const client = useClient()
  const navigate = route.useNavigate()
  const { q, offset = 0 } = route.useSearch()
  const query = useQuery({
    queryKey: [serversKey, 'tools', server_id, q, offset],
    queryFn: ({ signal }) => client.tools.list({ server_id, q, offset, limit }, { signal }),
    refetchInterval: 5000,
    // Of this server alone: another one's would be taken for its own.
    placeholderData: (before, of) => (of?.queryKey[2] === server_id ? before : undefined),
  })
  return (
    <div className="flex flex-col gap-4">
      <SearchField
        label={words.search}
        value={q ?? ''}
        onChange={(text) =>
          void navigate({
            search: { tab: 'tools', ...(text !== '' && { q: text }) },
            replace: true,
          })
        }
      />
      <QueryView query={query}>
        {({ tools, total }) => (
          <>
            {tools.length === 0 ? (
              <Empty icon={<Wrench />} title={q ? words.noMatch : words.noTools}>
                {!q && words.noToolsAbout}
              </Empty>
            ) : (
              <ul className="flex flex-col gap-3">
                {tools.map((tool) => (
                  <ToolItem key={tool.name} tool={tool} />
                ))}
              </ul>
            )}
            <Pager
              {...{ offset, limit, count: tools.length, total }}
              onChange={(next) =>
                void navigate({ search: { tab: 'tools', ...(q && { q }), offset: next } })
              }
            />
          </>
        )}
      </QueryView>
    </div>
  )
}
