import type { Clock } from '@dataagent/guard'
import {
  type ConnectionEvent,
  type ConnectionOptions,
  type ConnectionState,
  createConnection,
  type McpError,
  type ServerIdentity,
  type ServerNotice,
} from '@dataagent/mcp'
import { askClient } from './ask-client.ts'
import type { ConnectGate, Entering } from './connect-gate.ts'
import type { Link, LinkError, LinkEvents, LinkServer, LinkState } from './link.ts'
import { createRefusalRetry } from './refusal-retry.ts'
import { createWishKeeper } from './wishes.ts'
import { toFault, toWords } from './words.ts'

export interface OwnLinkOptions {
  owner: string
  connect: Omit<ConnectionOptions, 'onEvent' | 'clock'>
  events: LinkEvents
  gate: ConnectGate
  entering: Entering
  clock: Clock
}

export interface OwnLink extends Link {
  /** Set while ready: whether the server keeps nothing between two requests. */
  readonly era: 'legacy' | 'modern' | undefined
  readonly tools: readonly unknown[]
}

/** A connection of this process. It is opened at once, in the background, and never given up. */
export function createOwnLink(options: OwnLinkOptions): OwnLink {
  const { owner, events, gate, entering, clock } = options
  const { onState, onTools, onLog, onNotice } = events
  const connection = createConnection({ ...options.connect, clock, onEvent })
  const wishes = createWishKeeper({ client: () => connection.client(), onLog })
  const retry = () => void attempt().catch(ignore)
  const refusals = createRefusalRetry({ clock, waits: options.connect.backoff, retry })
  let state: LinkState = { status: 'connecting' }
  void gate.pass(attempt, entering).catch(ignore)

  return {
    holder: owner,
    get state() {
      return state
    },
    get era() {
      return connection.state.status === 'ready' ? connection.state.server.era : undefined
    },
    get tools() {
      return connection.tools
    },
    get server() {
      return connection.state.status === 'ready' ? toServer(connection.state.server) : undefined
    },
    call: (tool, args, given) => connection.callTool(tool, args, given),
    ask: async (asked, given) => await askClient(connection.client(), asked, given),
    wish: (wished, who = owner) => wishes.set(who, wished),
    async refresh({ signal }) {
      await onTools(await connection.refreshTools({ signal }))
    },
    reconnect: (given) => connection.reconnect(given),
    async close() {
      refusals.stop()
      await connection.close().catch((error) => onLog(`could not be closed: ${String(error)}`))
    },
  }

  async function attempt(): Promise<void> {
    if (connection.state.status !== 'closed') await connection.reconnect()
  }

  function onEvent(event: ConnectionEvent): void {
    if (event.kind === 'state') follow(event.state)
    else if (event.kind === 'tools' && event.tools !== undefined) void onTools(event.tools)
    else if (event.kind === 'warning') onLog(event.text)
    else if (event.kind === 'notice' && isChange(event.notice)) onNotice(event.notice)
  }

  function follow(next: ConnectionState): void {
    const retryAt = next.status === 'failed' ? refusals.failed(next.error) : undefined
    if (next.status === 'ready') {
      refusals.stop()
      wishes.renew()
    }
    const told = toLinkState(next, retryAt)
    // An attempt after a failure is no news before it has succeeded.
    if (told === undefined || (told.status === 'connecting' && state.status === 'error')) return
    state = told
    onState()
  }
}

/** Others are for a call, or for the catalogue. */
function isChange({ kind }: ServerNotice): boolean {
  return kind === 'resources_changed' || kind === 'prompts_changed' || kind === 'resource_updated'
}

function toServer({ capabilities, instructions }: ServerIdentity): LinkServer {
  return { capabilities, ...(instructions !== undefined && { instructions }) }
}

function toLinkState(state: ConnectionState, retryAt: number | undefined): LinkState | undefined {
  switch (state.status) {
    case 'closed':
      return undefined
    case 'connecting':
    case 'ready':
      return { status: state.status }
    case 'backing_off':
      return toError(state.error, state.retryAt)
    case 'failed':
      return toError(state.error, retryAt)
    case 'needs_sign_in': {
      const { authorizationUrl: url } = state
      const error = toError(state.error, undefined)
      return url === undefined ? error : { ...error, authorization_url: url }
    }
  }
}

function toError(error: McpError, retryAt: number | undefined): LinkError {
  const told = { message: toWords(error), fault: toFault(error) }
  return { status: 'error', ...told, ...(retryAt !== undefined && { retry_at: retryAt }) }
}

function ignore(): void {}
