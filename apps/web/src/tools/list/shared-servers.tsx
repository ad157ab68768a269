import { Users } from 'lucide-react'
import { useIsAdmin } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { Empty } from '../../ui/notice.tsx'
import { useWords } from '../../words/use-words.ts'
import { toolsWords } from '../tools-words.ts'
import { useSharedServers } from '../use-servers.ts'
import { ServerList } from './server-list.tsx'

/** The servers that administrators share with the caller. */
export function SharedServers() {
  const words = useWords(toolsWords)
  const isAdmin = useIsAdmin()
  return (
    <QueryView query={useSharedServers()}>
      {(servers) =>
        servers.length === 0 ? (
          <Empty icon={<Users />} title={words.emptyShared}>
            {isAdmin ? words.emptySharedAdmin : words.emptySharedAbout}
          </Empty>
        ) : (
          <ServerList label={words.shared} servers={servers} />
        )
      }
    </QueryView>
  )
}
