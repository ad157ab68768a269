import type { Clock } from '@dataagent/guard'
import type { ServerNotice } from '@dataagent/mcp'
import type { Observed } from '../catalogue/index.ts'
import { type Edition, originOf, platformTenant, type RegisteredServer } from '../servers/index.ts'
import { type CallPlaces, createCallPlaces } from './calls/call-places.ts'
import { quotaError } from './calls/errors.ts'
import { createCatalogueTeller, type ServerPlace } from './catalogue-teller.ts'
import type { UpstreamHealth, UpstreamKey, UpstreamLimits } from './contract.ts'
import { findOneToGiveWay } from './giving-way.ts'
import { createHealthLog } from './health-log.ts'
import type { Holds } from './holds.ts'
import type { Wishes } from './links/wishes.ts'
import { createOpenLink } from './open-link.ts'
import type { UpstreamLogLine, UpstreamsOptions } from './options.ts'
import { toMapKey, toUpstreamKey } from './pool-key.ts'
import type { Relay } from './relay/relay.ts'
import { createUpstream, type Upstream } from './upstream.ts'
import { createUserLists, type UserLists } from './user-lists.ts'

export interface PoolOptions extends UpstreamsOptions {
  clock: Clock
  limits: UpstreamLimits
  relay: Relay
  holds: Holds
  onHealth(health: UpstreamHealth, connectMs?: number): void
  onNotice(key: UpstreamKey, notice: ServerNotice): void
  wishesOf(key: UpstreamKey): Wishes
  onLog(line: UpstreamLogLine): void
}

/** The upstreams of this process. */
export interface Pool {
  get(mapKey: string): Upstream | undefined
  ofServer(place: ServerPlace): Upstream[]
  readonly hasRoom: boolean
  /** The one of that key, opened where there is none. Throws `quota_exceeded`. */
  open(server: RegisteredServer, key: UpstreamKey): Upstream
  /** Passes a new configuration on; what it has no place for is closed. */
  changed(server: RegisteredServer): void
  /** What is connected as the configuration was goes on for the sessions of the edition. */
  supersede(edition: Edition): void
  /** Closes all of a server at once, and tells the catalogue why. */
  drop(place: ServerPlace, seen: Observed): void
  /** Closes what nobody needs any more. */
  sweep(): void
  /** As `Upstreams` says it. */
  handOver(ms: number): Promise<void>
  close(): Promise<void>
}

export function createPool(options: PoolOptions): Pool {
  const { clock, limits, holds, onHealth, onLog } = options
  const upstreams = new Map<string, Upstream>()
  const places = new Map<string, CallPlaces>()
  const lists = new Map<string, UserLists>()
  const teller = createCatalogueTeller({
    ...options,
    onFailure: (place, text) => onLog({ level: 'warn', text, ...place }),
  })
  const closings = new Set<Promise<void>>()
  const openLink = createOpenLink({ ...options, ...limits, isHeld: ({ key }) => holds.isHeld(key) })

  return {
    get hasRoom() {
      return upstreams.size < limits.perProcess
    },
    get: (mapKey) => upstreams.get(mapKey),
    ofServer,
    open(server, key) {
      const mapKey = toMapKey(key)
      const found = upstreams.get(mapKey)
      if (found) return found
      makeRoom(key)
      const opened = create(server, key)
      upstreams.set(mapKey, opened)
      return opened
    },
    changed(server) {
      lists.delete(toName(server))
      for (const upstream of ofServer(server)) {
        const { user_id } = toUpstreamKey(server, upstream.key.user_id)
        if (user_id === upstream.key.user_id) upstream.changed(server)
        else end(upstream)
      }
    },
    supersede(edition) {
      const { tenant_id, server_id, revision } = edition
      for (const upstream of ofServer({ tenant_id, server_id: originOf(server_id) })) {
        if (upstream.server.revision !== revision) continue
        upstreams.delete(toMapKey(upstream.key))
        upstream.becomes(edition)
        upstreams.set(toMapKey(upstream.key), upstream)
      }
    },
    drop(place, seen) {
      for (const upstream of ofServer(place)) end(upstream)
      lists.delete(toName(place))
      void teller.tell(place, seen)
    },
    sweep() {
      for (const upstream of upstreams.values()) if (isDue(upstream)) end(upstream)
      holds.forget(clock.monotonic() - Math.max(limits.idleMs, limits.lingerMs))
    },
    async handOver(ms) {
      await Promise.all([...upstreams.values()].map((upstream) => upstream.handOver(ms)))
    },
    async close() {
      for (const upstream of upstreams.values()) end(upstream)
      teller.close()
      await Promise.all(closings)
    },
  }

  function create(server: RegisteredServer, key: UpstreamKey): Upstream {
    const { servers, owner } = options
    const logHealth = createHealthLog((line) => onLog({ ...line, ...upstream.key }))
    const upstream: Upstream = createUpstream({
      ...{ key, server, servers, openLink, owner, clock },
      onHealth(health, connectMs) {
        logHealth(health)
        onHealth(health, connectMs)
      },
      drainMs: limits.drainMs,
      toolsMax: limits.toolsPerServer,
      places: placesOf(server),
      onOffers: (tools) =>
        teller.tell(upstream.key, { status: 'offers', tools: all(server, key, tools) }),
      onNotice: (notice) => options.onNotice(upstream.key, notice),
      wishes: () => options.wishesOf(upstream.key),
      untilTaken: () => teller.untilTaken(upstream.key),
      onUnreachable(message) {
        // Others' credentials may still open it.
        const others = ofServer(upstream.key).filter((other) => other !== upstream)
        if (others.some(({ isReady }) => isReady)) return
        void teller.tell(upstream.key, { status: 'unreachable', message })
      },
      onLog: (text) => onLog({ level: 'warn', text, ...upstream.key }),
      onStderr: (line) => onLog({ level: 'info', text: `stderr: ${line}`, ...upstream.key }),
    })
    return upstream
  }

  function ofServer({ tenant_id, server_id }: ServerPlace): Upstream[] {
    return [...upstreams.values()].filter(
      ({ key }) => key.server_id === server_id && key.tenant_id === tenant_id,
    )
  }

  function placesOf(server: RegisteredServer): CallPlaces {
    const found = places.get(toName(server)) ?? createCallPlaces(limits, settingOf(server))
    places.set(toName(server), found)
    return found
  }

  /** What the server offers to anyone, where each user has credentials of their own. */
  function all(server: RegisteredServer, { user_id }: UpstreamKey, tools: readonly unknown[]) {
    if (user_id === null || server.user_id !== null) return tools
    const known = lists.get(toName(server)) ?? createUserLists()
    lists.set(toName(server), known)
    return known.set(user_id, tools)
  }

  /** A user keeps to their own limit; in that of the process one that is idle gives way. */
  function makeRoom({ tenant_id, user_id }: UpstreamKey): void {
    if (user_id !== null) {
      const isOwn = ({ key }: Upstream) => key.tenant_id === tenant_id && key.user_id === user_id
      const count = [...upstreams.values()].filter(isOwn).length
      if (count >= limits.perUser) throw quotaError({ setting: 'perUser', limit: limits.perUser })
    }
    if (upstreams.size < limits.perProcess) return
    const one = findOneToGiveWay([...upstreams.values()], tenant_id, limits.perTenant)
    if (one === undefined) throw full(limits.perProcess)
    end(one)
    if (one.key.user_id !== null) return
    const message = `Others need its connection: the tenant has more than its share (${limits.perTenant}).`
    void teller.tell(one.key, { status: 'unreachable', message })
  }

  function isDue(upstream: Upstream): boolean {
    const { key, underWay, usedAt } = upstream
    if (key.user_id === null || underWay > 0 || holds.isHeld(key)) return false
    const releasedAt = holds.releasedAt(key)
    const patienceMs = releasedAt >= usedAt ? limits.lingerMs : limits.idleMs
    return clock.monotonic() - Math.max(usedAt, releasedAt) >= patienceMs
  }

  function end(upstream: Upstream): void {
    upstreams.delete(toMapKey(upstream.key))
    const { message: _, retry_at: __, authorization_url: ___, ...last } = upstream.health
    const closing = upstream.close().finally(() => {
      closings.delete(closing)
      const place = upstream.key
      if (ofServer(place).length === 0) forgetPlaces(place)
    })
    closings.add(closing)
    onLog({ level: 'info', text: 'stopped', ...upstream.key })
    onHealth({ ...last, status: 'stopped', holder: undefined, since: clock.now() })
  }

  function forgetPlaces(place: ServerPlace): void {
    const name = toName(place)
    if (places.get(name)?.taken === 0) places.delete(name)
  }
}

function settingOf({ user_id, tenant_id }: RegisteredServer) {
  if (user_id !== null) return 'callsPerUsersServer'
  return tenant_id === platformTenant ? 'callsPerPlatformServer' : 'callsPerServer'
}

function full(limit: number) {
  return quotaError({ setting: 'perProcess', limit })
}

function toName({ tenant_id, server_id }: ServerPlace): string {
  return `${tenant_id}\n${server_id}`
}
