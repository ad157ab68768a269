import type { Clock } from '@dataagent/guard'
import type { ServerNotice } from '@dataagent/mcp'
import type { RegisteredServer, ResolvedServer, Servers } from '../servers/index.ts'
import type { UpstreamKey } from './contract.ts'
import { createLeavingWays, leaveWay, untilIdle, type Way } from './leaving-ways.ts'
import type { Link, LinkEvents, LinkState } from './links/link.ts'
import { type PoolKey, toPoolKey } from './pool-key.ts'

type Resolved = Extract<ResolvedServer, { status: 'ok' }>

/** What a link is opened for. */
export interface LinkOrder {
  key: UpstreamKey
  server: RegisteredServer
  config: Resolved['config']
  pool: string
  events: LinkEvents
  /** Another process uses it, until the function that it gets is called. */
  borrow(): () => void
}

export type OpenLink = (order: LinkOrder) => Link

export interface WaysOptions {
  key: UpstreamKey
  server: RegisteredServer
  servers: Pick<Servers, 'resolveFor'>
  openLink: OpenLink
  clock: Clock
  /** How long the calls of a configuration that has changed may go on. */
  drainMs: number
  touch(): void
  onChange(): void
  onOffers(tools: readonly unknown[]): Promise<void>
  onNotice(notice: ServerNotice): void
  onLog(text: string): void
  onStderr(line: string): void
}

/** The way that calls take now, as the configuration says, and those of before. */
export interface Ways {
  readonly server: RegisteredServer
  readonly current: Way | undefined
  readonly ready: Way | undefined
  readonly state: LinkState & { needsCredential?: boolean }
  /** Reads the configuration again; settles when `current` is of it. Never rejects. */
  resolve(): Promise<void>
  changed(server: RegisteredServer): void
  /** Other processes wait for who connects next; settles when what they have asked is answered. */
  handOver(ms: number): Promise<void>
  close(): Promise<void>
}

const resolveAgainMs = 1_000

/** Begins with what `server` says, resolved in the background. */
export function createWays(options: WaysOptions): Ways {
  const { key, servers, clock, onChange } = options
  const closing = new AbortController()
  const leaving = createLeavingWays(clock)
  let { server } = options
  let current: Way | undefined
  /** Set while the current way serves on though its settings have changed. */
  let next: Way | undefined
  let fault: Ways['state'] = { status: 'connecting' }
  let turn = 0
  let cancelRetry: (() => void) | undefined
  let resolving = resolve()

  return {
    get server() {
      return server
    },
    get current() {
      return current
    },
    get ready() {
      return current?.link.state.status === 'ready' ? current : undefined
    },
    get state() {
      return current?.link.state ?? fault
    },
    resolve() {
      resolving = resolve()
      return resolving
    },
    changed(changed) {
      server = changed
      resolving = resolve()
    },
    async handOver(ms) {
      if (current === undefined) return
      current.link.handOver?.()
      await untilIdle(current, { ms, signal: closing.signal, clock })
    },
    async close() {
      closing.abort()
      await resolving
      cancelRetry?.()
      drop()
      if (current) leaving.leave(current, 0)
      await leaving.end()
    },
  }

  async function resolve(): Promise<void> {
    turn += 1
    const own = turn
    const resolved = await servers.resolveFor(server, key.user_id).catch(toUnread)
    if (own !== turn || closing.signal.aborted) return
    if (resolved.status === 'ok') return take(resolved)
    if (resolved.status === 'unread') return tryAgain(resolved.message)
    const isNeeded = resolved.status === 'needs_credential'
    const message = isNeeded ? needsCredential(server) : resolved.message
    const why = isNeeded ? ('needs_credentials' as const) : ('other' as const)
    fault = { status: 'error', message, fault: why, ...(isNeeded && { needsCredential: true }) }
    drop()
    replace(undefined)
  }

  function take(resolved: Resolved): void {
    const poolKey = toPoolKey(server, key.user_id, resolved)
    const { route, pool } = poolKey
    if (pool === next?.pool) return
    drop()
    if (pool === current?.pool) return
    const way = open(poolKey, resolved)
    const mayServeOn = current?.route === route && current.link.state.status === 'ready'
    if (mayServeOn) next = way
    else replace(way)
  }

  /** Gives up what was to take the place of the current way. */
  function drop(): void {
    const dropped = next
    next = undefined
    if (dropped) leaving.leave(dropped, 0)
  }

  /** The next way takes over when it is known whether it works. */
  function follow(way: Way): void {
    if (way === next && way.link.state.status !== 'connecting') {
      next = undefined
      replace(way)
    } else if (way === current) onChange()
  }

  /** A way that is there stays: what is stored could not be read, not changed. */
  function tryAgain(message: string): void {
    cancelRetry?.()
    cancelRetry = clock.after(resolveAgainMs, () => {
      resolving = resolve()
    })
    if (current !== undefined) return
    fault = { status: 'error', message, fault: 'other', retry_at: clock.now() + resolveAgainMs }
    onChange()
  }

  function open({ route, pool }: PoolKey, { config }: Resolved): Way {
    const events: LinkEvents = {
      onState: () => follow(way),
      onTools: async (tools) => {
        if (way === current) await options.onOffers(tools)
      },
      onNotice: (notice) => {
        if (way === current) options.onNotice(notice)
      },
      onLog: options.onLog,
      onStderr: options.onStderr,
    }
    const borrow = () => enterWay(way)
    const order = { key, server, config, pool, events, borrow }
    const way: Way = { route, pool, link: options.openLink(order), underWay: 0 }
    return way
  }

  function enterWay(way: Way): () => void {
    options.touch()
    way.underWay += 1
    return () => {
      leaveWay(way)
      options.touch()
    }
  }

  function replace(way: Way | undefined): void {
    const before = current
    current = way
    if (before) leaving.leave(before, options.drainMs)
    onChange()
  }
}

function toUnread(error: unknown): { status: 'unread'; message: string } {
  const told = error instanceof Error ? error.message : String(error)
  return { status: 'unread', message: `The server's credentials cannot be read: ${told}` }
}

function needsCredential({ config }: RegisteredServer): string {
  return `The server "${config.name}" needs your own credentials: add them in its settings.`
}
