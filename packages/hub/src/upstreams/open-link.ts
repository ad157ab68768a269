import { type Clock, systemClock } from '@dataagent/guard'
import type { ConnectionOptions } from '@dataagent/mcp'
import type { ServerConfig } from '@dataagent/schema'
import type { RegisteredServer } from '../servers/index.ts'
import { createConnectGate } from './links/connect-gate.ts'
import { createTransport } from './links/create-transport.ts'
import { createLeasedLink } from './links/leased-link.ts'
import { limitAnswers } from './links/limit-answers.ts'
import { createOwnLink } from './links/own-link.ts'
import { createUserPlaces } from './links/user-places.ts'
import { defaultLimits, type UpstreamsOptions } from './options.ts'
import type { Relay } from './relay/relay.ts'
import type { LinkOrder, OpenLink } from './ways.ts'

export interface OpenLinkOptions extends UpstreamsOptions {
  relay: Relay
  leaseMs: number
  connecting: number
  perUser: number
  /** Whether a session of this process needs it though it makes no calls. */
  isHeld(order: LinkOrder): boolean
}

/** A server that has not answered by then waits on, in nobody's way. */
const placeHeldMs = 2_000

/** Gives the function by which links to servers are opened. */
export function createOpenLink(options: OpenLinkOptions): OpenLink {
  const { kv, owner, relay, leaseMs, clock = systemClock } = options
  const gate = createConnectGate({ places: options.connecting, holdMs: placeHeldMs, clock })

  const places = createUserPlaces({ kv, owner, leaseMs, perUser: options.perUser, clock })
  const quota = { setting: 'perUser', limit: options.perUser }

  return (order) => {
    const { key, server, config, pool, events, borrow } = order
    const { user_id } = key
    const connect = toConnect(options, { server, user_id, config, onStderr: events.onStderr })
    const entering = { urgent: key.user_id !== null, whose: key.tenant_id }
    return createLeasedLink({
      ...{ pool, relay, kv, leaseMs, events, clock, borrow, quota },
      takePlace: () => places.take(key),
      mayBeStateless: config.transport === 'http',
      isNeeded: () => options.isHeld(order),
      openOwn: (own) => createOwnLink({ owner, connect, events: own, gate, entering, clock }),
    })
  }
}

export interface ConnectOrder {
  server: RegisteredServer
  /** Whose connection it is; null where it is shared. */
  user_id: string | null
  /** With the credentials that calls go out with. */
  config: ServerConfig
  onStderr(line: string): void
}

/** Whatever a caller may have an answer to. */
const offers = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
}

/** What a server's list of tools may come to, in bytes. */
const listBytes = 8 * 1024 * 1024

/** How a server is connected to, as its configuration says. */
export function toConnect(
  options: UpstreamsOptions,
  { server, user_id, config, onStderr }: ConnectOrder,
): Omit<ConnectionOptions, 'onEvent' | 'clock'> {
  const { clientInfo, questions, passesQuestions, backoff } = options
  const { toolsPerServer: items = defaultLimits.toolsPerServer } = options.limits ?? {}
  const clock: Clock = options.clock ?? systemClock
  const authorizer = options.authorizerFor?.({ ...server, config }, user_id)
  return {
    ...{ name: config.name, clientInfo, questions, backoff },
    ...(passesQuestions && { offers }),
    // One more shows that there are more.
    listLimits: { items: items + 1, bytes: listBytes, cut: true },
    timeoutMs: config.timeout * 1_000,
    healthEveryMs: config.healthEvery * 1_000,
    createTransport(way) {
      const own = options.createTransport?.(server, way)
      if (own) return limitAnswers(own)
      if (options.createTransport) return undefined
      const egress = options.egressFor(server)
      const sandbox = options.sandboxFor?.(server)
      return createTransport(config, { egress, sandbox, authorizer, clock, onStderr }, way)
    },
  }
}
