import { QueryView } from '../../api/query-view.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useWords } from '../../words/use-words.ts'
import { toAbsence } from '../absence.ts'
import type { Adding } from '../add-dialog.tsx'
import { toolsWords } from '../tools-words.ts'
import { useOwnServers } from '../use-servers.ts'
import { NoServers } from './no-servers.tsx'
import { ServerList } from './server-list.tsx'

/** The servers of the caller. */
export function OwnServers({ onAdd }: { onAdd(adding: Adding): void }) {
  const words = useWords(toolsWords)
  const query = useOwnServers()
  const absence = query.data === undefined ? toAbsence(query.error) : undefined
  if (absence === 'off') return <Notice title={words.off}>{words.offAbout}</Notice>
  if (absence === 'forbidden') {
    return <Notice title={words.forbidden}>{words.forbiddenAbout}</Notice>
  }
  return (
    <QueryView query={query}>
      {(servers) =>
        servers.length === 0 ? (
          <NoServers onAdd={onAdd} />
        ) : (
          <div className="flex flex-col gap-2">
            <ServerList label={words.mine} servers={servers} />
            <p className="text-[13px] text-soft">{words.nextSession}</p>
          </div>
        )
      }
    </QueryView>
  )
}
