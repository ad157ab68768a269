import { systemClock } from '@dataagent/guard'
import type { McpError, ServerNotice } from '@dataagent/mcp'
import { isSeenAt, type RegisteredServer, type ServerChange } from '../servers/index.ts'
import { closedHereError, refusedError } from './calls/errors.ts'
import { unlessAborted } from './calls/unless-aborted.ts'
import { testConnection } from './connection-test.ts'
import type { UpstreamHealth, UpstreamKey, Upstreams, UpstreamWait } from './contract.ts'
import { createHolds, type HeldUser } from './holds.ts'
import { createNoticeBoard } from './notice-board.ts'
import { defaultLimits, type UpstreamsOptions } from './options.ts'
import { createPool } from './pool.ts'
import { toMapKey, toUpstreamKey } from './pool-key.ts'
import { createRelay } from './relay/relay.ts'
import type { Upstream } from './upstream.ts'
import { createWishBook } from './wish-book.ts'

type NoticeHandler = Parameters<Upstreams['onNotice']>[0]

/** Creates the connections to all servers. None is opened before `start`, or a call. */
export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { servers, kv, owner, clock = systemClock, onLog = () => undefined } = options
  const limits = { ...defaultLimits, ...options.limits }
  const relay = createRelay({ kv, owner, clock, onLog: (text) => onLog({ level: 'warn', text }) })
  const holds = createHolds(clock)
  const handlers = new Set<Parameters<Upstreams['onHealth']>[0]>()
  const onHealth = (health: UpstreamHealth, connectMs?: number) => {
    for (const handler of handlers) tell(() => handler(health, connectMs))
  }
  const wishes = createWishBook()
  const noticeHandlers = new Set<NoticeHandler>()
  const board = createNoticeBoard({ clock, pass: passOn })
  relay.onNotice(({ key, notice }) => {
    if (!isHeardHere(key, notice)) for (const handler of noticeHandlers) handler({ ...key, notice })
  })
  const pool = createPool({
    ...{ ...options, clock, limits, relay, holds, onHealth, onLog },
    onNotice: board.post,
    wishesOf: wishes.of,
  })
  let stopFollowing: (() => void) | undefined
  let stopSweeping: (() => void) | undefined
  let closing: Promise<void> | undefined

  return {
    start() {
      if (stopFollowing || closing) return
      begin()
      stopFollowing = servers.onChange(follow)
      for (const server of servers.all()) connectShared(server)
    },
    async call(key, call) {
      return await (pool.get(toMapKey(key)) ?? find(key)).call(call)
    },
    ask: async (key, call) => await (pool.get(toMapKey(key)) ?? find(key)).ask(call),
    subscribe,
    async setLevel(key, level, { signal } = {}) {
      wishes.raise(key, level)
      await unlessAborted(signal, find(key).askLevel(level))
    },
    describe: (key) => pool.get(toMapKey(key))?.description,
    onNotice(handler) {
      noticeHandlers.add(handler)
      return () => noticeHandlers.delete(handler)
    },
    async refresh(key, given = {}) {
      await find(key).refresh(given)
    },
    async reconnect(key, given = {}) {
      await find(key).reconnect(given)
    },
    health: (tenant_id, server_id) =>
      pool.ofServer({ tenant_id, server_id }).map(({ health }) => health),
    onHealth(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
    hold(user) {
      const release = holds.hold(user)
      connectUser(user)
      return release
    },
    test: (server, given = {}) => testConnection(server, { ...given, options, clock }),
    handOver: pool.handOver,
    close,
    [Symbol.asyncDispose]: close,
  }

  /** What one of them throws is not the others' business, nor that of the connection. */
  function tell(handle: () => void): void {
    try {
      handle()
    } catch (error) {
      onLog({ level: 'warn', text: `a watcher of the servers' health failed: ${String(error)}` })
    }
  }

  async function subscribe(key: UpstreamKey, uri: string, given: UpstreamWait = {}) {
    const upstream = find(key)
    const release = wishes.add(key, uri)
    const takeBack = async () => {
      release()
      const now = pool.get(toMapKey(key))
      // One that is away forgets by itself, and is told when it comes back.
      if (now?.isReady) await now.wish({}).catch(() => undefined)
    }
    try {
      const refused = await upstream.wish(given)
      for (const { wish, error } of refused) if (wish === uri) throw error
    } catch (error) {
      void takeBack()
      throw error
    }
    return takeBack
  }

  /** To this process and all others. */
  function passOn(key: UpstreamKey, notice: ServerNotice): void {
    relay.tell({ kind: 'notice', from: owner, key, notice })
    for (const handler of noticeHandlers) handler({ ...key, notice })
  }

  /** Of a server that each process is connected to by itself each hears alone. */
  function isHeardHere(key: UpstreamKey, notice: ServerNotice): boolean {
    const upstream = pool.get(toMapKey(key))
    if (!upstream?.isReady || upstream.health.holder?.own !== true) return false
    return notice.kind !== 'resource_updated' || wishes.of(key).uris.includes(notice.uri)
  }

  function begin(): void {
    if (stopSweeping) return
    relay.start()
    sweep()
  }

  function find(key: UpstreamKey): Upstream {
    if (closing) throw closedHereError('This process is ending.')
    begin()
    const server = servers.get(key.tenant_id, key.server_id)
    if (server === undefined) throw notFound(key)
    if (server.config.disabled) throw disabled(server)
    return pool.open(server, toUpstreamKey(server, key.user_id))
  }

  function connectShared(server: RegisteredServer): void {
    const key = toUpstreamKey(server, null)
    if (server.config.disabled || key.user_id !== null || server.config.credentials === 'user')
      return
    openQuietly(server, key)
  }

  /** Shared servers that there was no place for, as far as there is now. */
  function connectWaiting(): void {
    for (const server of servers.all()) {
      if (!pool.hasRoom) return
      if (pool.get(toMapKey(toUpstreamKey(server, null))) === undefined) connectShared(server)
    }
  }

  /** What a user's session may need is there when it needs it. */
  function connectUser(user: HeldUser): void {
    for (const server of [...servers.all(), ...servers.editions()]) {
      if (!isFor(user, server)) continue
      const { tenant_id, user_id, config } = server
      if (config.disabled || tenant_id !== user.tenant_id) continue
      const takesTheirs = user_id === null && config.credentials === 'user'
      if (user_id === user.user_id || takesTheirs) void connectFor(server, user)
    }
  }

  /** Whether the session, if it is one, has this configuration of the server. */
  function isFor(user: HeldUser, server: RegisteredServer): boolean {
    if (server.user_id === null) return true
    const at = options.snapshotOf?.(user, user.session_id)
    return isSeenAt(server, at ?? Number.MAX_SAFE_INTEGER)
  }

  async function connectFor(server: RegisteredServer, user: HeldUser): Promise<void> {
    begin()
    const resolved = await servers.resolveFor(server, user.user_id).catch(() => undefined)
    const key = toUpstreamKey(server, user.user_id)
    if (resolved?.status === 'ok' && !closing && holds.isHeld(key)) openQuietly(server, key)
  }

  /** What does not fit is told to those who call it. */
  function openQuietly(server: RegisteredServer, key: UpstreamKey): void {
    try {
      pool.open(server, key)
    } catch (error) {
      const { tenant_id, server_id, user_id } = key
      onLog({ level: 'warn', text: String(error), tenant_id, server_id, user_id })
    }
  }

  function follow(change: ServerChange): void {
    switch (change.kind) {
      case 'superseded':
        pool.supersede(change.edition)
        for (const user of holds.users()) connectUserTo(change.edition, user)
        break
      case 'removed':
        pool.drop(change, { status: 'unreachable', message: 'It was removed.' })
        break
      case 'credential':
        followCredential(change)
        break
      case 'set':
        followServer(change.server)
    }
  }

  function followServer(server: RegisteredServer): void {
    if (server.config.disabled) pool.drop(server, { status: 'disabled' })
    else pool.changed(server)
    connectShared(server)
    for (const user of holds.users()) connectUserTo(server, user)
  }

  function followCredential(change: Extract<ServerChange, { kind: 'credential' }>): void {
    const server = servers.get(change.tenant_id, change.server_id)
    if (server === undefined) return
    pool.get(toMapKey(change))?.changed(server)
    for (const user of holds.users()) {
      if (user.user_id === change.user_id) connectUserTo(server, user)
    }
  }

  function connectUserTo(server: RegisteredServer, user: HeldUser): void {
    const key = toUpstreamKey(server, user.user_id)
    if (server.config.disabled || key.user_id !== user.user_id || !isFor(user, server)) return
    if (pool.get(toMapKey(key)) === undefined) void connectFor(server, user)
  }

  function sweep(): void {
    pool.sweep()
    if (stopFollowing) connectWaiting()
    const everyMs = Math.max(1, Math.min(limits.idleMs, limits.lingerMs) / 4)
    stopSweeping = clock.after(everyMs, sweep)
  }

  function close(): Promise<void> {
    closing ??= end()
    return closing
  }

  async function end(): Promise<void> {
    stopFollowing?.()
    stopSweeping?.()
    board.close()
    await pool.close()
    await relay.close()
  }
}

function notFound({ server_id }: UpstreamKey): McpError {
  return refusedError('not_found', 'not_found', `There is no server "${server_id}".`, { server_id })
}

function disabled({ server_id, config }: RegisteredServer): McpError {
  const message = `The server "${config.name}" is disabled: enable it first.`
  return refusedError('unavailable', 'unavailable', message, { server_id })
}
