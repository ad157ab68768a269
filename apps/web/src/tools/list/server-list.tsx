import type { ServerInfo } from '@dataagent/schema'
import { useStates } from '../use-servers.ts'
import { ServerItem } from './server-item.tsx'

interface ServerListProps {
  label: string
  servers: readonly ServerInfo[]
}

/** Servers, those first that need somebody. */
export function ServerList({ label, servers }: ServerListProps) {
  const rows = useStates(servers)
  return (
    <ul aria-label={label} className="rounded-xl border border-line bg-panel">
      {rows.map(({ info, state }) => (
        <ServerItem key={info.server_id} info={info} state={state} />
      ))}
    </ul>
  )
}
