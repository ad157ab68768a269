import { systemClock } from '@dataagent/guard'
import type { EraVerdict } from '../client/contract.ts'
import { conflictError, notFoundError } from '../tools/errors.ts'
import { defaultToolPrefix } from '../tools/names.ts'
import type {
  AddServerOptions,
  HostedServerConfig,
  McpManager,
  McpManagerOptions,
  McpServerConfig,
} from './contract.ts'
import { forEachServer } from './failures.ts'
import { createInjection } from './injection.ts'
import { createServer, type ManagedServer } from './server.ts'
import { checkServerConfig, checkToolPrefix, timeoutMsOf } from './server-config.ts'
import { createToolNames } from './tool-names.ts'
import { transportMaker } from './transport-maker.ts'

/** Creates a manager without servers. */
export function createMcpManager(options: McpManagerOptions = {}): McpManager {
  const { clock = systemClock, onEvent: emit = () => undefined } = options
  const toolPrefix = checkToolPrefix(options.toolPrefix ?? defaultToolPrefix)
  /** In the order they were added; also those that are being added or closed. */
  const servers = new Map<string, ManagedServer>()
  const names = createToolNames()
  const injection = createInjection()

  return {
    addServer,
    async removeServer(name) {
      const server = servers.get(name)
      if (server === undefined) throw notFoundError('server', name)
      await remove(server)
    },
    async refreshTools(...chosen) {
      await forEachServer(choose(chosen), 'refresh', (server) => server.refresh())
    },
    listTools: (...chosen) => choose(chosen).flatMap(({ tools }) => tools),
    serverNames: () => choose([]).map(({ name }) => name),
    connection: (name) => find(name).connection,
    callTool: async (name, args, given) => (await findTool(name).callRaw(args, given)).text,
    callToolRaw: async (name, args, given) => await findTool(name).callRaw(args, given),
    injectTools: (registry) =>
      injection.inject(
        registry,
        choose([]).flatMap(({ tools }) => tools),
      ),
    removeTools: injection.remove,
    disconnectAll,
    [Symbol.asyncDispose]: disconnectAll,
  }

  async function addServer(given: HostedServerConfig, added: AddServerOptions = {}): Promise<void> {
    const config = { ...given }
    const { name } = config
    checkServerConfig(config, { hasOwnTransport: added.createTransport !== undefined })
    if (servers.has(name))
      throw conflictError(`server "${name}" is there already`, { server: name })
    const server = toServer(config, added)
    servers.set(name, server)
    try {
      await server.add(added)
    } catch (error) {
      servers.delete(name)
      throw error
    }
  }

  function toServer(config: HostedServerConfig, added: AddServerOptions): ManagedServer {
    const { clientInfo, questions, egress } = options
    const { authorizer, remembered } = added
    const onStderr = (line: string) => emit({ kind: 'stderr', server: config.name, line })
    const createTransport =
      added.createTransport ??
      transportMaker(config as McpServerConfig, { egress, authorizer, clock, onStderr })
    const connect = {
      createTransport,
      timeoutMs: timeoutMsOf(config),
      ...(clientInfo && { clientInfo }),
      ...(questions && { questions }),
      ...(remembered && { remembered: withoutOtherWays(remembered, config) }),
    }
    const server: ManagedServer = createServer({
      ...{ config, connect, names, toolPrefix, tracing: options, emit, clock },
      remove: () => remove(server),
    })
    return server
  }

  async function remove(server: ManagedServer): Promise<void> {
    try {
      await server.leave()
    } finally {
      if (servers.get(server.name) === server) servers.delete(server.name)
    }
  }

  async function disconnectAll(): Promise<void> {
    await forEachServer([...servers.values()], 'disconnect', remove)
  }

  function find(name: string): ManagedServer {
    const server = servers.get(name)
    if (server?.status !== 'ready') throw notFoundError('server', name)
    return server
  }

  /** The servers with these names, or all. */
  function choose(chosen: readonly string[]): ManagedServer[] {
    if (chosen.length > 0) return [...new Set(chosen)].map(find)
    return [...servers.values()].filter(({ status }) => status === 'ready')
  }

  function findTool(name: string) {
    const tool = names.get(name)
    if (tool !== undefined) return tool
    const meant = choose([]).flatMap(({ tools }) =>
      tools.filter((each) => each.originalName === name),
    )
    throw notFoundError(
      'tool',
      name,
      meant.map((each) => each.name),
    )
  }
}

/** Only a server configured as `http` can have been reached by HTTP+SSE instead. */
function withoutOtherWays(remembered: EraVerdict, { transport }: HostedServerConfig): EraVerdict {
  return transport === 'http' ? remembered : { ...remembered, sse: false }
}
