import { type Clock, systemClock } from '@dataagent/guard'
import { isMcpError, McpError } from '../errors.ts'
import { isAboutRequest } from '../protocol/discovery.ts'
import { toTimeoutMs } from '../protocol/timeout.ts'
import { withinTime } from '../protocol/within-time.ts'
import type { Transport } from '../transports/transport.ts'
import { toClient } from './client.ts'
import { type ConnectOptions, createClientCore } from './client-core.ts'
import type { EraVerdict, OpenClientOptions, OpenedClient } from './contract.ts'

/** A server that was modern the last time may take longer to say so: it starts slowly. */
const knownModernPatienceMs = 10_000

/** What was asked for, with what goes without saying. */
interface Opening extends OpenClientOptions {
  clock: Clock
  timeoutMs: number
}

/** One way to open a connection. */
interface Attempt extends ConnectOptions {
  way: 'usual' | 'sse'
}

/**
 * Opens a client, whatever it takes to find out how the server wants to be spoken to: a process
 * that does not survive the question is started again and greeted the older way, an address that
 * refuses Streamable HTTP is tried as HTTP+SSE. All attempts together take `timeoutMs` at most, but
 * for a process that is started again: it has that time once more, as it may start slowly.
 */
export async function openClient(options: OpenClientOptions): Promise<OpenedClient> {
  const { clock = systemClock, signal } = options
  const timeoutMs = toTimeoutMs(options.timeoutMs)
  const limit = { what: 'the server', ms: timeoutMs, clock, signal }
  const within = <T>(open: (opening: Opening) => Promise<T>) =>
    withinTime(limit, (bounded) => open({ ...options, clock, timeoutMs, signal: bounded }))
  const opened = await within(openAtAll)
  return opened ?? (await within(greet))
}

/** `undefined` when the process did not survive the question. */
async function openAtAll(options: Opening): Promise<OpenedClient | undefined> {
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
async function find(options: Opening): Promise<OpenedClient | undefined> {
  const { remembered, timeoutMs } = options
  const patienceMs =
    remembered?.era === 'modern' ? Math.min(knownModernPatienceMs, timeoutMs / 2) : undefined
  try {
    return await attempt(options, { way: 'usual', patienceMs })
  } catch (error) {
    if (hasGone(error)) return undefined
    if (!isTooOld(error)) throw error
    return await tryOlder(options, error)
  }
}

/** Opens it the older way, without asking. */
async function greet(options: Opening): Promise<OpenedClient> {
  return await attempt(options, { way: 'usual', era: 'legacy' })
}

/** What Streamable HTTP was refused with is told when HTTP+SSE is refused as well. */
async function tryOlder(options: Opening, refusal: unknown): Promise<OpenedClient> {
  const transport = options.createTransport('sse')
  if (transport === undefined) throw refusal
  try {
    return await connect(options, transport, { way: 'sse', era: 'legacy' })
  } catch (error) {
    throw isNoEventStream(error) ? refusal : error
  }
}

async function attempt(options: Opening, given: Attempt): Promise<OpenedClient> {
  const transport = options.createTransport(given.way)
  if (transport !== undefined) return await connect(options, transport, given)
  const message = `mcp: there is no transport for the ${given.way} way to the server`
  throw new McpError({ kind: 'config', code: 'config_invalid', message })
}

async function connect(
  options: Opening,
  transport: Transport,
  { way, ...given }: Attempt,
): Promise<OpenedClient> {
  const { clock, signal } = options
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
  if (isMcpError(error, 'http')) return isAboutRequest(error)
  return isMcpError(error, 'protocol')
}

/** Whether the server answered, but not as was remembered of it. */
function isRefusal(error: unknown): boolean {
  if (isMcpError(error, 'http')) return isAboutRequest(error)
  return isMcpError(error, 'rpc') || isMcpError(error, 'protocol') || hasGone(error)
}
