import type { Clock } from '@dataagent/guard'
import type {
  EraVerdict,
  McpClient,
  OpenedClient,
  RequestOptions,
  ServerIdentity,
  ToolDefinition,
} from '../client/contract.ts'
import { closedError, isMcpError, type McpError, protocolError } from '../errors.ts'
import { createHealth } from './health.ts'
import { type Finding, judgeCall, judgeProbe, type Loss } from './judge-error.ts'
import { createToolList } from './tool-list.ts'
import { createWatchedClient } from './watched-client.ts'

export interface LifeOptions {
  clock: Clock
  healthEveryMs: number
  /** How long to wait before try n of a list of tools that failed. */
  delayBefore(n: number): number
  onTools(tools: ToolDefinition[]): void
  onWarning(text: string): void
  /** It is over by itself: once. */
  onLost(loss: LostLife): void
}

export interface LostLife {
  kind: Loss
  error: McpError
}

/** A server from one opening to one loss: its client, its tools, and the watch over both. */
export interface Life {
  readonly server: ServerIdentity
  readonly verdict: EraVerdict
  readonly tools: readonly ToolDefinition[]
  /** Set once it is over by itself. */
  readonly loss: LostLife | undefined
  /** Watched: what its requests fail with may end this life. To close it ends it too. */
  readonly client: McpClient
  refreshTools(): Promise<readonly ToolDefinition[]>
  toolsChanged(): void
  /** The transport says that the server has gone. */
  gone(error: Error): void
  /** Closes the client; when it settles nothing is left. */
  end(): Promise<void>
}

/** Begins the life of a client that was just opened. Its tools are not known yet. */
export function createLife({ client, server, verdict }: OpenedClient, options: LifeOptions): Life {
  const { clock, healthEveryMs, onWarning } = options
  let loss: LostLife | undefined
  let ended: Promise<void> | undefined
  const health = createHealth({ everyMs: healthEveryMs, clock, probe })
  const tools = createToolList({
    list: () => watch(() => client.listTools()),
    delayBefore: options.delayBefore,
    onChange: options.onTools,
    onFailure: (error) => onWarning(`the changed tools could not be listed: ${String(error)}`),
    clock,
  })

  return {
    server,
    verdict,
    get tools() {
      return tools.current
    },
    get loss() {
      return loss
    },
    client: createWatchedClient({
      client,
      watch,
      close: async () => lose('lost', closedError('the client was closed by the host', false)),
    }),
    refreshTools: tools.refresh,
    toolsChanged: tools.noticed,
    gone(failure) {
      const error = toMcpError(failure)
      lose(error.kind === 'session_lost' || error.kind === 'sign_in' ? error.kind : 'lost', error)
    },
    end() {
      ended ??= end()
      return ended
    },
  }

  async function watch<T>(request: () => Promise<T>): Promise<T> {
    health.began()
    try {
      const result = await request()
      health.alive()
      return result
    } catch (error) {
      if (!isMcpError(error)) throw error
      take(judgeCall(error), error)
      throw isOfLoss(error) ? closedError('the server was lost', error.mayHaveRun, error) : error
    } finally {
      health.ended()
    }
  }

  async function probe(limits: RequestOptions): Promise<void> {
    try {
      await ask(limits)
      health.alive()
    } catch (failure) {
      const error = toMcpError(failure)
      take(judgeProbe(error, health), error)
    }
  }

  /** Some HTTP servers refuse to be pinged; that they list their tools tells as much. */
  async function ask(limits: RequestOptions): Promise<void> {
    try {
      await client.ping(limits)
    } catch (error) {
      if (!isMcpError(error, 'http') || ![400, 404, 405].includes(error.statusCode ?? 0))
        throw error
      await client.listTools(limits)
    }
  }

  function take(finding: Finding, error: McpError): void {
    if (finding === 'alive') health.alive()
    else if (finding === 'unknown') health.suspect()
    else if (finding === 'doubt') health.doubt()
    else lose(finding, error)
  }

  /** The client was closed for the loss that another call found: the next life may do it. */
  function isOfLoss({ kind, retryable }: McpError): boolean {
    return loss !== undefined && kind === 'closed' && !retryable
  }

  function lose(kind: Loss, error: McpError): void {
    if (loss !== undefined || ended !== undefined) return
    loss = { kind, error }
    options.onLost(loss)
  }

  async function end(): Promise<void> {
    health.stop()
    tools.stop()
    await client.close()
  }
}

function toMcpError(error: unknown): McpError {
  return isMcpError(error) ? error : protocolError('the client failed', error)
}
