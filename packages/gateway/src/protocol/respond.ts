import type { Clock } from '@dataagent/guard'
import type { Hub } from '@dataagent/hub'
import type { GroupNames } from '../groups/index.ts'
import type { GatewayLimits } from '../limits/index.ts'
import { createCompletion } from './completion.ts'
import type { Caller, Exchange, Reply, Respond, RpcRequest } from './contract.ts'
import { rpcCodes, toErrorReply, toFaultReply } from './faults.ts'
import { type Asking, createFeatureServers } from './feature-servers.ts'
import { createIntroduction, type IntroductionOptions } from './introduction.ts'
import { isLogLevel } from './log-levels.ts'
import { toNobody } from './nobody.ts'
import { createPrompts } from './prompts.ts'
import { createResources } from './resources.ts'
import { createScopes } from './scopes.ts'
import { createToolCall } from './tool-call.ts'
import { createToolList } from './tool-list.ts'

export interface RespondOptions {
  hub: Pick<Hub, 'callTool' | 'listTools' | 'features' | 'catalogue'>
  names: GroupNames
  limits: GatewayLimits
  serverInfo: IntroductionOptions['serverInfo']
  holdMs: number
  clock: Clock
  /** Told what clients are not, with the reference that they are given. Must not throw. */
  onInternal(error: unknown, reference: string): void
}

type Method = (asking: Asking) => Promise<Reply> | Reply

/** What the gateway answers, whatever the transport and the era. */
export function createRespond(options: RespondOptions) {
  const { hub, names, limits, serverInfo, holdMs, onInternal } = options
  const servers = createFeatureServers({ hub, holdMs, clock: options.clock })
  const introduction = createIntroduction({ servers, serverInfo })
  const tools = createToolList({ hub, names })
  const call = createToolCall({ hub, names, holdMs })
  const scopes = createScopes({ hub, names })
  const resources = createResources(servers)
  const prompts = createPrompts(servers)
  const complete = createCompletion({ servers, prompts, resources })

  const shared: Record<string, Method> = {
    'tools/list': ({ caller, request, exchange }) =>
      request.params?.cursor === undefined
        ? { kind: 'text', text: tools.textFor(caller, exchange.era) }
        : toFaultReply(rpcCodes.params, 'There is one page of tools alone.'),
    'tools/call': async (asking) => {
      const { caller, request, exchange } = asking
      const refusal = scopes.refuse(caller, request)
      if (refusal !== undefined) return refusal
      await wantLogs(asking)
      return call(caller, request, exchange)
    },
    'resources/list': resources.list,
    'resources/templates/list': resources.listTemplates,
    'resources/read': resources.read,
    'prompts/list': prompts.list,
    'prompts/get': prompts.get,
    'completion/complete': complete,
  }
  const byEra: Record<Exchange['era'], Record<string, Method>> = {
    legacy: {
      ...shared,
      ping: () => ({ kind: 'result', result: {} }),
      'logging/setLevel': (asking) => setLevel(asking),
    },
    modern: {
      ...shared,
      'server/discover': ({ caller }) => ({
        kind: 'result',
        result: introduction.discover(caller),
      }),
    },
  }

  /** In the modern era a call says itself which log messages it wants: its server must know. */
  async function wantLogs(asking: Asking): Promise<void> {
    const { caller, request, exchange } = asking
    const { logLevel: level, era } = exchange
    if (era === 'legacy' || !isLogLevel(level)) return
    const { name } = request.params ?? {}
    if (typeof name !== 'string') return
    const owner = names.refOf(caller.group_id, name)?.server_id
    const server = servers.having(caller, 'logging').find(({ server_id }) => server_id === owner)
    if (server === undefined) return
    const asked = { ...request, method: 'logging/setLevel' }
    await servers.ask({ ...asking, request: asked }, server.server_id, { level })
  }

  /** Of servers that have no such level the messages come as they come. */
  async function setLevel(asking: Asking): Promise<Reply> {
    const { level } = asking.request.params ?? {}
    if (!isLogLevel(level)) return toFaultReply(rpcCodes.params, 'There is no such log level.')
    const having = servers.having(asking.caller, 'logging')
    await Promise.all(having.map(({ server_id }) => servers.ask(asking, server_id, { level })))
    return { kind: 'result', result: {} }
  }

  async function respond(caller: Caller, request: RpcRequest, exchange: Exchange): Promise<Reply> {
    const methods = byEra[exchange.era]
    const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
    if (method === undefined) return toUnknownMethod(request)
    try {
      const limited = await limits.take(caller, request)
      if (limited.status === 'limited') return toLimited(limited.retryAfterMs)
      return await method({ caller, request, exchange })
    } catch (error) {
      return toErrorReply(error, onInternal)
    }
  }

  return {
    respond: respond satisfies Respond,
    introduction,
    /** The same text as long as the tools of the caller are the same. */
    toolsText: (caller: Caller) => tools.textFor(caller, 'modern'),
    close: servers.close,
    /** Asks the servers of the group once, and tells whose a resource is; undefined: nobody's. */
    async ownersOf(caller: Caller): Promise<(uri: string) => string | undefined> {
      const exchange = toNobody(new AbortController().signal)
      const asking = { caller, request: toListRequest(), exchange }
      const { ownerOf } = await resources.findOwners(asking)
      return (uri) => ownerOf(uri)?.server_id
    },
  }
}

const toListRequest = (): RpcRequest => ({ jsonrpc: '2.0', id: 0, method: 'resources/list' })

/** 404 is for the modern era alone: before, it means that the session is gone. */
function toUnknownMethod({ method }: RpcRequest): Reply {
  return toFaultReply(rpcCodes.method, `Method not found: ${method}`)
}

export function toLimited(retryAfterMs: number): Reply {
  const data = { error_code: 'rate_limited', retry_after_ms: retryAfterMs }
  const error = { code: rpcCodes.server, message: 'Rate limit exceeded', data }
  return { kind: 'error', error, status: 429, retryAfterMs }
}
