import { systemClock } from '@dataagent/guard'
import { isMcpError, McpError } from '../errors.ts'
import { withinTime } from '../protocol/within-time.ts'
import type { Transport } from '../transports/transport.ts'
import { toClient } from './client.ts'
import { type ConnectOptions, createClientCore } from './client-core.ts'
import type { EraVerdict, OpenClientOptions, OpenedClient } from './contract.ts'

/** A server that was modern the last time may take longer to say so: it starts slowly. */
const knownModernPatienceMs = 10_000

/** One way to open a connection. */
interface Attempt extends ConnectOptions {
  way: 'usual' | 'sse'
}

/**
 * Opens a client, whatever it takes to find out how the server wants to be spoken to: a process
 * that does not survive the question is started again and greeted the older way, an address that
 * refuses Streamable HTTP is tried as HTTP+SSE. All attempts together take `timeoutMs` at most.
 */
export function openClient(options: OpenClientOptions): Promise<OpenedClient> {
  const { clock = systemClock, timeoutMs: ms = 30_000, signal } = options
  const limit = { what: 'the server', ms, clock, signal }
  return withinTime(limit, (bounded) => openAtAll({ ...options, signal: bounded }))
}

async function openAtAll(options: OpenClientOptions): Promise<OpenedClient> {
  const { remembered } = options
  if (remembered?.era !== 'legacy') return await find(options)
  const way = remembered.sse === true ? 'sse' : 'usual'
  try {
    return await attempt(options, { way, era: 'legacy' })
  } catch (error) {
    if (!isRefusal(error)) throw error
    return await find(options)
  }
}

/** Opens it without knowing anything but, perhaps, that it was modern before. */
async function find(options: OpenClientOptions): Promise<OpenedClient> {
  const { remembered, timeoutMs = 30_000 } = options
  const patienceMs =
    remembered?.era === 'modern' ? Math.min(knownModernPatienceMs, timeoutMs / 2) : undefined
  try {
    return await attempt(options, { way: 'usual', patienceMs })
  } catch (error) {
    if (hasGone(error)) return await attempt(options, { way: 'usual', era: 'legacy' })
    if (!isTooOld(error)) throw error
    return await tryOlder(options, error)
  }
}

/** What Streamable HTTP was refused with is told when HTTP+SSE is refused as well. */
async function tryOlder(options: OpenClientOptions, refusal: unknown): Promise<OpenedClient> {
  const transport = options.createTransport('sse')
  if (transport === undefined) throw refusal
  try {
    return await connect(options, transport, { way: 'sse', era: 'legacy' })
  } catch (error) {
    throw isNoEventStream(error) ? refusal : error
  }
}

async function attempt(options: OpenClientOptions, given: Attempt): Promise<OpenedClient> {
  const transport = options.createTransport(given.way)
  if (transport !== undefined) return await connect(options, transport, given)
  const message = `mcp: there is no transport for the ${given.way} way to the server`
  throw new McpError({ kind: 'config', code: 'config_invalid', message })
}

async function connect(
  options: OpenClientOptions,
  transport: Transport,
  { way, ...given }: Attempt,
): Promise<OpenedClient> {
  const { clock = systemClock, signal } = options
  const core = createClientCore({ ...options, transport })
  const { identity, verdict } = await core.connect({ ...given, signal })
  const dated: EraVerdict = { ...verdict, decided_at: clock.now() }
  if (way === 'sse') dated.sse = true
  return { client: toClient(core), server: identity, verdict: dated }
}

/** Whether the process ended while it was asked. */
function hasGone(error: unknown): boolean {
  return isMcpError(error, 'closed')
}

/** Whether the address does not take what Streamable HTTP sends. */
function isTooOld(error: unknown): boolean {
  if (!isMcpError(error, 'http')) return false
  return error.statusCode === 400 || error.statusCode === 404 || error.statusCode === 405
}

/** Whether there is no HTTP+SSE at the address. */
function isNoEventStream(error: unknown): boolean {
  if (isMcpError(error, 'http')) return isAboutRequest(error.statusCode ?? 0)
  return isMcpError(error, 'protocol')
}

/** Whether the server answered, but not as was remembered of it. */
function isRefusal(error: unknown): boolean {
  if (isMcpError(error, 'http')) return isAboutRequest(error.statusCode ?? 0)
  return isMcpError(error, 'rpc') || isMcpError(error, 'protocol') || hasGone(error)
}

function isAboutRequest(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 429].includes(status)
}
