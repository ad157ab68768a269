import type { Clock } from '@dataagent/guard'
import type { RequestOptions, ToolDefinition } from '../client/contract.ts'
import { createConnection } from '../connection/connection.ts'
import type { Connection, ConnectionEvent, ConnectionOptions } from '../connection/contract.ts'
import { McpError } from '../errors.ts'
import type { McpTool } from '../tools/contract.ts'
import { convertMcpTools } from '../tools/convert.ts'
import { conflictError, notFoundError } from '../tools/errors.ts'
import { matchesAny } from '../tools/filter.ts'
import { callTool, type Tracing } from './call.ts'
import type { HostedServerConfig, ManagerEvent } from './contract.ts'
import { toManagedConnection } from './managed-connection.ts'
import { maxRetriesOf } from './server-config.ts'
import { type Clash, describeClash, type ToolNames } from './tool-names.ts'

export interface ServerOptions {
  config: HostedServerConfig
  connect: Omit<ConnectionOptions, 'name' | 'onEvent' | 'clock'>
  names: ToolNames
  toolPrefix: string
  tracing: Tracing
  emit(event: ManagerEvent): void
  clock: Clock
  /** Takes the server out of its manager; settles when it is gone. */
  remove(): Promise<void>
}

/** One server of a manager, from the moment it is being added until it is gone. */
export interface ManagedServer {
  readonly name: string
  readonly status: 'adding' | 'ready' | 'leaving'
  /** For the host: to close it removes the server. */
  readonly connection: Connection
  /** What it offers now: nothing while it cannot be reached. */
  readonly tools: readonly McpTool[]
  /** Once. A failure leaves nothing behind. */
  add(options: { signal?: AbortSignal | undefined }): Promise<void>
  refresh(): Promise<void>
  /** Also while it is being added, which fails then. Later calls join the first. */
  leave(): Promise<void>
}

/** Creates a server that is not connected yet. */
export function createServer(options: ServerOptions): ManagedServer {
  const { config, names, tracing, emit, clock } = options
  const { name } = config
  const connection = createConnection({ ...options.connect, name, clock, onEvent })
  const isDeclaredIdempotent = matchesAny(config.idempotentTools ?? [])
  const leaving = new AbortController()
  let status: ManagedServer['status'] = 'adding'
  let isReachable = false
  let tools: McpTool[] = []
  let clashes: Clash[] = []
  let adding: Promise<void> = Promise.resolve()
  let left: Promise<void> | undefined

  return {
    name,
    get status() {
      return status
    },
    connection: toManagedConnection(connection, options.remove),
    get tools() {
      return isReachable ? tools : []
    },
    add({ signal }) {
      adding = open(signal)
      return adding
    },
    async refresh() {
      const clashesBefore = clashes
      const definitions = await connection.refreshTools()
      // A list as before is no event, but a name may have become free.
      if (clashes === clashesBefore && clashes.length > 0 && status === 'ready') follow(definitions)
    },
    leave() {
      left ??= close()
      return left
    },
  }

  async function open(signal: AbortSignal | undefined): Promise<void> {
    const signals = signal === undefined ? [leaving.signal] : [signal, leaving.signal]
    try {
      await connection.open({ signal: AbortSignal.any(signals) })
      leaving.signal.throwIfAborted()
      adopt(connection.tools)
      const clash = clashes.find(({ holder }) => holder.server !== name)
      if (clash !== undefined) throw clashError(clash)
    } catch (error) {
      names.release(name)
      await connection.close().catch(() => undefined)
      throw leaving.signal.aborted ? removedError(name, error) : error
    }
    status = 'ready'
    isReachable = connection.state.status === 'ready'
    tellTools()
  }

  async function close(): Promise<void> {
    leaving.abort()
    if (status === 'adding') return await adding.catch(() => undefined)
    status = 'leaving'
    isReachable = false
    names.release(name)
    tellTools()
    await connection.close()
  }

  function onEvent(event: ConnectionEvent): void {
    if (event.kind !== 'tools') emit({ ...event, server: name })
    else if (status === 'ready') follow(event.tools)
  }

  function follow(definitions: readonly ToolDefinition[] | undefined): void {
    isReachable = definitions !== undefined
    if (definitions !== undefined) adopt(definitions)
    tellTools()
  }

  function tellTools(): void {
    for (const clash of isReachable ? clashes : []) {
      emit({ kind: 'warning', server: name, text: `left out: ${describeClash(clash)}` })
    }
    emit({ kind: 'tools', server: name })
  }

  /** Takes over a list of the server's, without the tools whose names are others'. */
  function adopt(definitions: readonly ToolDefinition[]): void {
    const { toolPrefix } = options
    const all = convertMcpTools({ server: name, definitions, call, selection: config, toolPrefix })
    clashes = names.claim(name, all)
    tools = all.filter((tool) => !clashes.some((clash) => clash.tool === tool))
  }

  async function call(
    definition: ToolDefinition,
    args: Record<string, unknown>,
    given: RequestOptions,
  ) {
    if (status === 'leaving') throw notFoundError('server', name)
    const { annotations, name: tool } = definition
    const isIdempotent =
      annotations?.idempotentHint === true ||
      annotations?.readOnlyHint === true ||
      isDeclaredIdempotent(tool)
    const maxRetries = maxRetriesOf(config)
    return await callTool(
      { tool, args, options: given, maxRetries, isIdempotent },
      { connection, tracing, clock },
    )
  }
}

function clashError(clash: Clash): McpError {
  const { server } = clash.tool
  const message = `convert "${server}": ${describeClash(clash)}`
  return conflictError(message, { server, step: 'convert', holder: clash.holder.server })
}

function removedError(server: string, cause: unknown): McpError {
  const message = `mcp: server "${server}" was removed while it was being added`
  return new McpError({ kind: 'cancelled', code: 'cancelled', message, data: { server }, cause })
}
