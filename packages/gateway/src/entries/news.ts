import type { Clock } from '@dataagent/guard'
import { type Hub, platformTenant } from '@dataagent/hub'
import type { Groups } from '../groups/index.ts'
import type { Caller } from '../protocol/index.ts'

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
  /** Whose a resource is. */
  ownerOf(caller: Caller, uri: string): Promise<string | undefined>
  clock: Clock
}

interface Listener {
  caller: Caller
  wants: Wants
  tell(method: string, params: Record<string, unknown>): void
  tools: string
  servers: string
  subscribed: Map<string, Promise<(() => Promise<void>) | undefined>>
  /** Those of them that nobody took: tried again when something has changed. */
  failed: Set<string>
}

type Noticed = Parameters<Parameters<Hub['features']['onNotice']>[0]>[0]

/** Changes that come together are told once. */
const gatherMs = 50

/** Tells clients with an open stream what has changed for them. */
export function createNews(options: NewsOptions): News {
  const { hub, groups, toolsOf, ownerOf, clock } = options
  const listeners = new Set<Listener>()
  const ends = new DisposableStack()
  let cancel: (() => void) | undefined
  ends.defer(() => cancel?.())

  function look(): void {
    if (listeners.size > 0) cancel ??= clock.after(gatherMs, compareAll)
  }

  function compareAll(): void {
    cancel = undefined
    for (const listener of listeners) {
      compare(listener)
      retry(listener)
    }
  }

  function compare(listener: Listener): void {
    const { caller, wants, tell } = listener
    const tools = toolsOf(caller)
    const servers = serversOf(caller)
    if (wants.tools && tools !== listener.tools) tell('notifications/tools/list_changed', {})
    if (servers !== listener.servers) {
      if (wants.prompts) tell('notifications/prompts/list_changed', {})
      if (wants.resources) tell('notifications/resources/list_changed', {})
    }
    Object.assign(listener, { tools, servers })
  }

  const serversOf = ({ principal }: Caller) =>
    hub.features
      .list({ principal })
      .map(({ server_id }) => server_id)
      .join(' ')

  /** Of a server of the tenant or the platform, over a connection that is shared or their own. */
  function isTheirs({ principal }: Caller, { tenant_id, user_id, server_id }: Noticed): boolean {
    if (tenant_id !== principal.tenant_id && tenant_id !== platformTenant) return false
    if (user_id !== null && user_id !== principal.user_id) return false
    return hub.features.list({ principal }).some((server) => server.server_id === server_id)
  }

  async function subscribe({ caller, failed }: Listener, uri: string) {
    const { principal } = caller
    const context = { principal, source: 'gateway', approver: { kind: 'nobody' } } as const
    try {
      const server_id = await ownerOf(caller, uri)
      if (server_id !== undefined) return await hub.features.subscribe(context, { server_id, uri })
    } catch {}
    return void failed.add(uri)
  }

  function retry(listener: Listener): void {
    for (const uri of listener.failed) listener.subscribed.delete(uri)
    listener.failed.clear()
    followUris(listener)
  }

  function followUris(listener: Listener): void {
    const { subscribed } = listener
    const wanted = new Set(listener.wants.uris)
    for (const uri of wanted) {
      if (!subscribed.has(uri)) subscribed.set(uri, subscribe(listener, uri))
    }
    for (const [uri, subscription] of subscribed) {
      if (wanted.has(uri)) continue
      subscribed.delete(uri)
      listener.failed.delete(uri)
      void subscription.then((end) => end?.()).catch(() => {})
    }
  }

  ends.defer(hub.catalogue.onChange(look))
  ends.defer(hub.policy.onChange(look))
  ends.defer(groups.onChange(look))
  ends.defer(
    hub.features.onNotice((noticed) => {
      const { notice } = noticed
      for (const { caller, wants, tell } of listeners) {
        if (!isTheirs(caller, noticed)) continue
        if (notice.kind === 'prompts_changed' && wants.prompts) {
          tell('notifications/prompts/list_changed', {})
        }
        if (notice.kind === 'resources_changed' && wants.resources) {
          tell('notifications/resources/list_changed', {})
        }
        if (notice.kind === 'resource_updated' && wants.uris?.includes(notice.uri)) {
          tell('notifications/resources/updated', { uri: notice.uri })
        }
      }
    }),
  )

  return {
    listen(caller, wants, tell) {
      const tools = toolsOf(caller)
      const listener: Listener = {
        ...{ caller, wants, tell, tools, servers: serversOf(caller) },
        ...{ subscribed: new Map(), failed: new Set() },
      }
      listeners.add(listener)
      followUris(listener)
      return {
        change(next) {
          listener.wants = next
          followUris(listener)
        },
        end() {
          listeners.delete(listener)
          listener.wants = {}
          followUris(listener)
        },
      }
    },
    close: () => ends.dispose(),
  }
}
