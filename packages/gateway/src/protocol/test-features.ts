import type { Hub } from '@dataagent/hub'
import { createFakeClock } from '@dataagent/testkit'
import type { Caller, Exchange, Reply } from './contract.ts'
import { type Asking, createFeatureServers, type FeatureServer } from './feature-servers.ts'
import { createPrompts } from './prompts.ts'
import { createResources } from './resources.ts'

type Features = Hub['features']
type Noticed = Parameters<Parameters<Features['onNotice']>[0]>[0]
type Outcome = Awaited<ReturnType<Features['ask']>>

export interface TestServer extends Partial<FeatureServer> {
  server_id: string
  /** When it was registered. */
  created_at: number
  /** What `resources/list` and the like give. */
  has: Record<string, Record<string, unknown>[]>
  /** What it gives to each user, where they have credentials of their own. */
  ofUser?: Record<string, TestServer['has']> | undefined
  /** What else is in its answers. */
  says?: Record<string, unknown> | undefined
  /** How long a list takes. */
  ms?: number | undefined
}

const base = { call_id: '', trace_id: '', duration_ms: 0 }

/** Servers that say what a test wants, under a clock that stands still. */
export function createTestFeatures(given: readonly TestServer[]) {
  const clock = createFakeClock()
  const asked: string[] = []
  const handlers = new Set<(noticed: Noticed) => void>()
  const servers = new Map(given.map((server) => [server.server_id, server]))

  async function answer(
    server: TestServer,
    method: string,
    { signal, principal: { user_id } }: Parameters<Features['ask']>[0],
  ) {
    const has = server.ofUser?.[user_id ?? ''] ?? server.has
    const result = { ...server.says, [memberOf[method] ?? 'done']: has[method] ?? server.server_id }
    const ok: Outcome = { ...base, status: 'ok', result: structuredClone(result) }
    if (server.ms === undefined || memberOf[method] === undefined) return ok
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    clock.after(server.ms, () => resolve(ok))
    signal?.addEventListener('abort', () => resolve(late))
    return promise
  }

  const features: Features = {
    list: ({ principal: { user_id } }) =>
      [...servers.values()]
        .map((server) => toServer(server, user_id))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ask(context, { server_id, method }) {
      asked.push(`${server_id} ${method} ${context.principal.user_id}`)
      const server = servers.get(server_id)
      return server ? answer(server, method, context) : Promise.resolve(late)
    },
    subscribe: async () => async () => {},
    onNotice(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
  }
  const list = createFeatureServers({ hub: { features }, holdMs: 1, clock })
  return {
    ...{ clock, asked, servers, features: list },
    resources: createResources(list),
    prompts: createPrompts(list),
    /** A server says that something has changed. */
    tell(server_id: string, notice: Noticed['notice']) {
      for (const handler of handlers) handler({ tenant_id: 't', server_id, user_id: null, notice })
    },
  }
}

const memberOf: Record<string, string> = {
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
}

const late: Outcome = {
  ...{ ...base, status: 'cancelled' },
  error: { code: 'cancelled', message: '', tool_name: '', advice: 'retry' },
}

function toServer(
  { has: _has, ofUser: _own, says: _says, ms: _ms, ...server }: TestServer,
  user_id: string | null,
) {
  const isOwn = server.user_id !== undefined && server.user_id !== null
  return {
    ...{ tenant_id: 't', name: server.server_id, capabilities: { resources: {}, prompts: {} } },
    ...{ lists: ['resources/list', 'prompts/list'], ...server },
    user_id: isOwn ? user_id : null,
  }
}

export function asAsked(
  params: Record<string, unknown> = {},
  user_id: string | null = null,
): Asking {
  return {
    caller: { principal: { tenant_id: 't', user_id, role: 'user' } } as Caller,
    request: { jsonrpc: '2.0', id: 1, method: 'test', params },
    exchange: {
      ...{ era: 'legacy', signal: new AbortController().signal, capabilities: {} },
    } as unknown as Exchange,
  }
}

export function resultOf(reply: Reply): Record<string, unknown> {
  return reply.kind === 'result' ? reply.result : { error: reply }
}
