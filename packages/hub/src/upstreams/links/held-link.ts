import { wait } from '@dataagent/guard'
import type { Lease } from '../../kv-port.ts'
import { createHolding, type HoldingOptions } from './holding.ts'
import type { Link, LinkEvents } from './link.ts'
import type { OwnLink } from './own-link.ts'

export interface HeldLinkOptions extends Omit<HoldingOptions, 'link' | 'onLost'> {
  /** Undefined where the server is known to need no holder. */
  lease: Lease | undefined
  /** The lease anew; undefined where another process has it. Rejects while the KV is away. */
  acquire(): Promise<Lease | undefined>
  openOwn(events: LinkEvents): OwnLink
  events: LinkEvents
  /** Another process holds the connection by now. */
  onYield(): void
}

const awayMs = 1_000

/** A connection of this process that others call through as long as it has the lease. */
export function createHeldLink(options: HeldLinkOptions): Link {
  const { lease, events, clock } = options
  const closing = new AbortController()
  const { signal: closed } = closing
  const holding = createHolding({ ...options, link: () => link, onLost: () => void claim() })
  let isClaiming = false
  const link = options.openOwn({
    ...events,
    onState: judge,
    onTools(tools) {
      holding.tell()
      return events.onTools(tools)
    },
  })
  if (lease !== undefined) holding.take(lease)

  return {
    holder: link.holder,
    get state() {
      return link.state
    },
    get server() {
      return link.server
    },
    call: link.call,
    ask: link.ask,
    wish: link.wish,
    refresh: link.refresh,
    reconnect: link.reconnect,
    handOver: holding.handOver,
    async close() {
      closing.abort()
      await holding.end()
    },
  }

  function judge(): void {
    holding.tell()
    events.onState()
    if (closed.aborted || link.state.status !== 'ready') return
    if (holding.isStateless) holding.letGo()
    else if (!holding.isHeld) void claim()
  }

  /** It turned out to need a holder, or the lease has lapsed: another may have it by now. */
  async function claim(): Promise<void> {
    if (isClaiming) return
    isClaiming = true
    while (!closed.aborted) {
      const found = await options.acquire().catch(() => 'away' as const)
      if (found !== 'away') return await settle(found)
      // Nobody can have taken it over: calls go on.
      await wait(clock, awayMs, closed)
    }
  }

  async function settle(again: Lease | undefined): Promise<void> {
    isClaiming = false
    if (closed.aborted) await again?.release()
    else if (again === undefined) options.onYield()
    else holding.take(again)
  }
}
