import type { Link } from '../link/index.ts'
import type { Status } from '../ui/index.ts'

export interface WatchServersOptions {
  link: Promise<Link>
  onSeen(mcp: Status['mcp']): void
  onChange(): void
}

export interface WatchedServers extends Disposable {
  /** Their states may have changed: asks the platform, soon and once for many changes. */
  look(): void
}

const soonMs = 200
/** Servers that are connecting are looked at again until they are there or not. */
const laterMs = 2_000

/** Counts, for the status line, the MCP servers that are connected and those that need someone. */
export function watchServers({ link, onSeen, onChange }: WatchServersOptions): WatchedServers {
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  function look(ms = soonMs): void {
    if (isOver) return
    clearTimeout(timer)
    timer = setTimeout(() => void read().catch(() => {}), ms)
    timer.unref()
  }

  async function read(): Promise<void> {
    const { client, user_id } = await link
    const lists = await Promise.all([client.servers.list(), client.userServers.list(user_id)])
    const used = lists.flatMap(({ servers }) => servers).filter(({ disabled }) => !disabled)
    const ok = used.filter(({ status }) => status === 'running').length
    const isConnecting = used.some(({ status_fault }) => status_fault === 'connecting')
    const attention = used.filter(
      ({ status, status_fault }) => status === 'error' && status_fault !== 'connecting',
    ).length
    if (isOver) return
    onSeen(used.length === 0 ? undefined : { ok, total: used.length, attention })
    onChange()
    if (isConnecting) look(laterMs)
  }

  return {
    look: () => look(),
    [Symbol.dispose]() {
      isOver = true
      clearTimeout(timer)
    },
  }
}
