import { systemClock } from '@dataagent/guard'
import { isPlainObject } from '@dataagent/schema'
import type {
  CompleteResult,
  GetPromptResult,
  ReadResourceResult,
} from '@modelcontextprotocol/client'
import { closedError, McpError, protocolError } from '../errors.ts'
import { createPeer } from '../protocol/peer.ts'
import { toObject } from '../protocol/results.ts'
import { legacyVersions, preferredLegacy } from '../protocol/versions.ts'
import type { JsonRpcNotification, JsonRpcRequest } from '../rpc/messages.ts'
import type {
  CallToolResult,
  McpClient,
  McpClientOptions,
  RequestOptions,
  ServerIdentity,
} from './contract.ts'
import { collectList, withoutUnnamed } from './lists.ts'

const defaultInfo = { name: '@dataagent/mcp', version: '0.1.0' }

/** Creates a client that speaks to the server at the other end of `options.transport`. */
export function createMcpClient(options: McpClientOptions): McpClient {
  const { transport, clientInfo = defaultInfo, clock = systemClock, timeoutMs = 30_000 } = options
  const { listLimits = { pages: 1_000, items: 10_000 } } = options
  const onWarning = options.onWarning ?? (() => undefined)
  const peer = createPeer({ transport, clock, timeoutMs, onWarning })
  let state: 'new' | 'open' | 'closed' = 'new'
  let server: ServerIdentity | undefined

  const client: McpClient = {
    get server() {
      return server
    },
    connect: (given) => client.initialize(given),
    initialize,
    async listTools(given) {
      const items = await list('tools/list', 'tools', given)
      return withoutUnnamed(items, { what: 'tool', field: 'name', onWarning })
    },
    async callTool(name, args = {}, given) {
      const result = await request('tools/call', { name, arguments: args }, given)
      return toToolResult(result)
    },
    async listResources(given) {
      const items = await list('resources/list', 'resources', given)
      return withoutUnnamed(items, { what: 'resource', field: 'uri', onWarning })
    },
    async listResourceTemplates(given) {
      const items = await list('resources/templates/list', 'resourceTemplates', given)
      return withoutUnnamed(items, { what: 'template', field: 'uriTemplate', onWarning })
    },
    async readResource(uri, given) {
      const result = await request('resources/read', { uri }, given)
      return toObject('resources/read', result) as ReadResourceResult
    },
    async subscribeResource(uri, given) {
      await request('resources/subscribe', { uri }, given)
      return async () => {
        await request('resources/unsubscribe', { uri })
      }
    },
    async listPrompts(given) {
      const items = await list('prompts/list', 'prompts', given)
      return withoutUnnamed(items, { what: 'prompt', field: 'name', onWarning })
    },
    async getPrompt(name, args, given) {
      const params = args === undefined ? { name } : { name, arguments: args }
      return toObject('prompts/get', await request('prompts/get', params, given)) as GetPromptResult
    },
    async complete(question, given) {
      const result = await request('completion/complete', { ...question }, given)
      return toObject('completion/complete', result) as CompleteResult
    },
    async setLogLevel(level, given) {
      await request('logging/setLevel', { level }, given)
    },
    async ping(given) {
      await request('ping', undefined, given)
    },
    request,
    async notify(method, params) {
      const message = { jsonrpc: '2.0' as const, method }
      await peer.send(params === undefined ? message : { ...message, params })
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  return client

  async function initialize({ signal }: { signal?: AbortSignal } = {}): Promise<ServerIdentity> {
    if (state !== 'new') throw closedError('a client connects once', false)
    state = 'open'
    try {
      await transport.start({ onMessage, onClose, onWarning }, { signal })
      server = await shakeHands(signal)
      return server
    } catch (error) {
      await close()
      throw error
    }
  }

  async function shakeHands(signal: AbortSignal | undefined): Promise<ServerIdentity> {
    const params = { protocolVersion: preferredLegacy, capabilities: {}, clientInfo }
    const result = toObject('initialize', await peer.call('initialize', params, { signal }))
    const { protocolVersion: version, serverInfo, capabilities = {}, instructions } = result
    if (typeof version !== 'string' || !legacyVersions.includes(version)) {
      throw protocolError(
        `the server speaks ${JSON.stringify(version)}; known are ${legacyVersions.join(', ')}`,
      )
    }
    transport.negotiated?.({ era: 'legacy', version })
    await peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return {
      era: 'legacy',
      version,
      serverInfo: serverInfo as ServerIdentity['serverInfo'],
      capabilities: capabilities as ServerIdentity['capabilities'],
      ...(typeof instructions === 'string' && { instructions }),
    }
  }

  async function request(
    method: string,
    params?: Record<string, unknown>,
    given?: RequestOptions,
  ): Promise<unknown> {
    if (state === 'closed') throw closedError('the client is closed', false)
    if (server === undefined) throw notConnected()
    return await peer.call(method, params, given)
  }

  function list(method: string, key: string, given?: RequestOptions): Promise<unknown[]> {
    const page = (params?: Record<string, unknown>) => request(method, params, given)
    return collectList({ method, key, limits: listLimits, page })
  }

  function onMessage(message: JsonRpcRequest | JsonRpcNotification): void {
    if ('id' in message) answer(message)
    else if (message.method === 'notifications/progress') peer.onProgress(message.params ?? {})
    else if (message.method === 'notifications/tools/list_changed') {
      options.onNotice?.({ kind: 'tools_changed' })
    }
  }

  function answer({ id, method }: JsonRpcRequest): void {
    const error = { code: -32601, message: `Method not found: ${method}` }
    const response =
      method === 'ping' ? { jsonrpc: '2.0', id, result: {} } : { jsonrpc: '2.0', id, error }
    peer.send(response as never).catch(() => onWarning(`"${method}" could not be answered`))
  }

  function onClose(error: McpError): void {
    if (state === 'closed') return
    options.onClose?.(error)
  }

  async function close(): Promise<void> {
    state = 'closed'
    peer.close()
    await transport.close()
  }
}

function toToolResult(result: unknown): CallToolResult {
  const found = toObject('tools/call', result)
  if (found.content === undefined) return { ...found, content: [] } as CallToolResult
  if (Array.isArray(found.content) && found.content.every(isPlainObject)) {
    return found as CallToolResult
  }
  throw protocolError('the server answered "tools/call" with content that is no list of parts')
}

function notConnected(): McpError {
  const message = 'mcp: the client is not connected'
  return new McpError({ kind: 'unavailable', code: 'unavailable', message })
}
