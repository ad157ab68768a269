import type { ServerFault, ServerStatus } from '@dataagent/schema'
import type { Kv } from '../kv-port.ts'
import { createRecent } from '../recent.ts'
import { originOf, type RegisteredServer } from '../servers/index.ts'
import type { UpstreamHealth, Upstreams } from '../upstreams/index.ts'

/** From then on a connection was as it is said. */
interface HealthChange {
  at: number
  /** Whose connection; null where all share one. */
  user_id: string | null
  /** What it was before; null where that is no longer known. */
  from: ServerStatus | null
  status: ServerStatus
  fault?: ServerFault
  message?: string
  /** From the beginning to connect until it could be used. */
  connect_ms?: number
}

type Kept = Omit<HealthChange, 'from'>
type ServerPlace = Pick<UpstreamHealth, 'tenant_id' | 'server_id'>

/** How the health of each server has changed lately, whichever process has seen it. */
export interface HealthHistory extends AsyncDisposable {
  /**
   * Newest first; nothing of a server that had its name before. Rejects with `store_unavailable`.
   */
  list(server: ServerPlace & Pick<RegisteredServer, 'created_at'>): Promise<HealthChange[]>
  close(): Promise<void>
}

export interface HealthHistoryOptions {
  kv: Pick<Kv, 'add' | 'get' | 'set'>
  upstreams: Pick<Upstreams, 'onHealth'>
  clock: { now(): number }
  /** Must not throw. */
  onLost(error: unknown): void
}

/** Changes of one server that are kept. */
export const keptChanges = 50
const ttlMs = 7 * 24 * 60 * 60_000
const messageMax = 300
/** Connections whose latest change is known here; one that is not is written again at worst. */
const lastMax = 10_000

/**
 * Each change has a place of its own in a ring of the KV, which is counted there: processes that
 * write at once lose nothing of each other. What cannot be written is lost, and calls go on.
 */
export function createHealthHistory(options: HealthHistoryOptions): HealthHistory {
  const { kv, upstreams, clock, onLost } = options
  const last = createRecent<string>(lastMax)
  let writing = Promise.resolve()
  const stop = upstreams.onHealth(note)

  return {
    list,
    close,
    [Symbol.asyncDispose]: close,
  }

  function note(health: UpstreamHealth, connect_ms?: number): void {
    const { server_id, user_id, status, fault, message, holder } = health
    // The process that holds the connection tells of it; an edition is no server of its own.
    if (holder?.own === false || originOf(server_id) !== server_id) return
    const name = JSON.stringify([health.tenant_id, server_id, user_id])
    const look = JSON.stringify([status, fault])
    if (last.get(name) === look) return
    last.set(name, look)
    const change: Kept = {
      ...{ at: clock.now(), user_id, status },
      ...(fault !== undefined && { fault }),
      ...(message !== undefined && { message: message.slice(0, messageMax) }),
      ...(connect_ms !== undefined && { connect_ms }),
    }
    writing = writing.then(() => write(health, change)).catch(onLost)
  }

  async function write(place: ServerPlace, change: Kept): Promise<void> {
    const { value } = await kv.add(toKey(place, 'count'), 1, { ttlMs })
    await kv.set(toKey(place, value % keptChanges), JSON.stringify(change), { ttlMs })
  }

  async function list(server: Parameters<HealthHistory['list']>[0]): Promise<HealthChange[]> {
    const slots = Array.from({ length: keptChanges }, (_, slot) => kv.get(toKey(server, slot)))
    const found = (await Promise.all(slots)).filter((text) => text !== undefined)
    const all = found.map((text) => JSON.parse(text) as Kept)
    const kept = all.filter(({ at }) => at >= server.created_at)
    return toChanges(kept.sort((one, two) => one.at - two.at)).reverse()
  }

  async function close(): Promise<void> {
    stop()
    await writing
  }
}

/** Two processes may have seen the same change: the first of them counts. */
function toChanges(kept: readonly Kept[]): HealthChange[] {
  const before = new Map<string | null, Kept>()
  return kept.flatMap((change) => {
    const known = before.get(change.user_id)
    if (known?.status === change.status && known.fault === change.fault) return []
    before.set(change.user_id, change)
    return [{ ...change, from: known?.status ?? null }]
  })
}

function toKey({ tenant_id, server_id }: ServerPlace, slot: number | 'count'): string {
  return `health:${JSON.stringify([tenant_id, server_id])}:${slot}`
}
