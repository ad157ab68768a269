import {
  createInProcessTransport,
  type HandlerContext,
  type JsonRpcMessage,
  type Transport,
} from '@dataagent/mcp'

/** A server inside this process with resources to subscribe to, and log levels. */
export interface Library {
  createTransport(): Transport
  /** What it was asked besides lists, in order: the method and its URI or level. */
  asked: string[]
  /** Methods that it does not answer. */
  silent: Set<string>
  /** Resources that it does not have. */
  missing: Set<string>
  refusesLevels: boolean
}

export function createLibrary(): Library {
  const library: Library = {
    ...{ asked: [], silent: new Set(), missing: new Set(), refusesLevels: false },
    createTransport: () => createInProcessTransport(answer),
  }
  return library

  async function answer(message: JsonRpcMessage, { signal }: HandlerContext): Promise<unknown> {
    if (!('method' in message) || !('id' in message)) return undefined
    const { id, method, params = {} } = message
    const { uri, level } = params as { uri?: string; level?: string }
    if (uri ?? level) library.asked.push(`${method} ${uri ?? level}`)
    if (library.silent.has(method)) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    if (uri !== undefined && library.missing.has(uri)) {
      return { jsonrpc: '2.0', id, error: { code: -32002, message: 'no such resource' } }
    }
    if (level !== undefined && library.refusesLevels) {
      return { jsonrpc: '2.0', id, error: { code: -32602, message: 'no such level' } }
    }
    return { jsonrpc: '2.0', id, result: results[method] ?? {} }
  }
}

const results: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, logging: {}, resources: { subscribe: true } },
    serverInfo: { name: 'library', version: '1' },
  },
  'resources/list': { resources: [] },
  'tools/list': { tools: [{ name: 'read', inputSchema: { type: 'object' } }] },
}
