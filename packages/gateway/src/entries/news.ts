import type { Clock } from '@dataagent/guard'
import { type Hub, platformTenant } from '@dataagent/hub'
import type { Groups } from '../groups/index.ts'
import type { Caller } from '../protocol/index.ts'
import { createFollowing, type Following, type OwnerOf } from './following.ts'

/** What a client wants to be told without asking. */
export interface Wants {
  tools?: boolean | undefined
  prompts?: boolean | undefined
  resources?: boolean | undefined
  /** Resources whose changes it wants to hear of. */
  uris?: readonly string[] | undefined
}

export interface Listening {
  change(wants: Wants): void
  end(): void
}

export interface News {
  /** `tell` must not throw. */
  listen(
    caller: Caller,
    wants: Wants,
    tell: (method: string, params: Record<string, unknown>) => void,
  ): Listening
  close(): void
}

export interface NewsOptions {
  hub: Pick<Hub, 'catalogue' | 'policy' | 'features'>
  groups: Pick<Groups, 'onChange'>
  /** The same text as long as the caller's tools are the same. */
  toolsOf(caller: Caller): string
  /** Whose resources are, as the servers of the caller say now: several requests to each. */
  ownersOf(caller: Caller): Promise<OwnerOf>
  clock: Clock
}

interface Listener {
  caller: Caller
  wants: Wants
  tell(method: string, params: Record<string, unknown>): void
  tools: string
  prompts: string
  resources: string
  following: Following
}

type Noticed = Parameters<Parameters<Hub['features']['onNotice']>[0]>[0]

/** Changes that come together are told once. */
const gatherMs = 50

/** Tells clients with an open stream what has changed for them. */
export function createNews(options: NewsOptions): News {
  const { hub, groups, toolsOf, clock } = options
  const listeners = new Set<Listener>()
  const gatherings = new Map<string, Promise<OwnerOf>>()
  /** Of which tenants something has changed; undefined is of all. */
  const changed = new Set<string | undefined>()
  const ends = new DisposableStack()
  let cancel: (() => void) | undefined
  ends.defer(() => {
    cancel?.()
    for (const { following } of listeners) following.follow([])
  })

  function look(tenant_id: string | undefined): void {
    // What was asked before the change says nothing of the time after it.
    gatherings.clear()
    if (listeners.size === 0) return
    changed.add(tenant_id === platformTenant ? undefined : tenant_id)
    cancel ??= clock.after(gatherMs, compareAll)
  }

  function compareAll(): void {
    cancel = undefined
    const isMeant = ({ caller }: Listener) =>
      changed.has(undefined) || changed.has(caller.principal.tenant_id)
    const meant = [...listeners].filter(isMeant)
    changed.clear()
    for (const listener of meant) compare(listener)
  }

  function compare(listener: Listener): void {
    const { caller, wants, tell } = listener
    const now = offeredTo(caller)
    const has = (name: keyof typeof now) => wants[name] && now[name] !== listener[name]
    if (has('tools')) tell('notifications/tools/list_changed', {})
    if (has('prompts')) tell('notifications/prompts/list_changed', {})
    if (has('resources')) tell('notifications/resources/list_changed', {})
    if (now.resources !== listener.resources) listener.following.retry()
    Object.assign(listener, now)
  }

  /** A text for each kind, the same as long as nothing of that kind has changed. */
  function offeredTo(caller: Caller) {
    const servers = hub.features.list({ principal: caller.principal })
    const having = (name: string) =>
      servers
        .filter(({ capabilities }) => Object.hasOwn(capabilities, name))
        .map(({ server_id }) => server_id)
        .join(' ')
    return { tools: toolsOf(caller), prompts: having('prompts'), resources: having('resources') }
  }

  /**
   * Of a server of the tenant or the platform, over a connection that is shared or their own, about
   * something that they may use.
   */
  function isTheirs({ principal }: Caller, noticed: Noticed): boolean {
    const { tenant_id, user_id, server_id, notice } = noticed
    if (tenant_id !== principal.tenant_id && tenant_id !== platformTenant) return false
    if (user_id !== null && user_id !== principal.user_id) return false
    const server = hub.features.list({ principal }).find((one) => one.server_id === server_id)
    const needed = notice.kind === 'prompts_changed' ? 'prompts' : 'resources'
    return server !== undefined && Object.hasOwn(server.capabilities, needed)
  }

  /** Those who ask at once, for the same person in the same group, share one answer. */
  function ownersOf(caller: Caller): Promise<OwnerOf> {
    const key = JSON.stringify(caller.principal)
    const known = gatherings.get(key)
    if (known !== undefined) return known
    const gathering = options.ownersOf(caller)
    gatherings.set(key, gathering)
    const forget = () => void (gatherings.get(key) === gathering && gatherings.delete(key))
    gathering.then(forget, forget)
    return gathering
  }

  function followFor(caller: Caller): Following {
    const { principal } = caller
    const context = { principal, source: 'gateway', approver: { kind: 'nobody' } } as const
    return createFollowing({
      ownersOf: () => ownersOf(caller),
      subscribe: (server_id, uri) => hub.features.subscribe(context, { server_id, uri }),
      clock,
    })
  }

  ends.defer(hub.catalogue.onChange(({ tenant_id }) => look(tenant_id)))
  ends.defer(hub.policy.onChange(look))
  ends.defer(groups.onChange(look))
  ends.defer(
    hub.features.onNotice((noticed) => {
      const { notice, server_id } = noticed
      if (notice.kind === 'resources_changed') gatherings.clear()
      for (const { caller, wants, tell, following } of listeners) {
        if (!isTheirs(caller, noticed)) continue
        if (notice.kind === 'resources_changed') following.retry()
        if (notice.kind === 'prompts_changed' && wants.prompts) {
          tell('notifications/prompts/list_changed', {})
        }
        if (notice.kind === 'resources_changed' && wants.resources) {
          tell('notifications/resources/list_changed', {})
        }
        if (notice.kind === 'resource_updated' && following.holds(server_id, notice.uri)) {
          tell('notifications/resources/updated', { uri: notice.uri })
        }
      }
    }),
  )

  return {
    listen(caller, wants, tell) {
      const following = followFor(caller)
      const listener: Listener = { caller, wants, tell, following, ...offeredTo(caller) }
      listeners.add(listener)
      following.follow(wants.uris ?? [])
      return {
        change(next) {
          listener.wants = next
          following.follow(next.uris ?? [])
        },
        end() {
          listeners.delete(listener)
          following.follow([])
        },
      }
    },
    close: () => ends.dispose(),
  }
}
