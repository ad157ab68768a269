import { connect, isIP, type Socket } from 'node:net'
import { createLookup, type Lookup } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'

/** A place that is about to be connected to: `address` is what `host` was resolved to. */
export interface Destination {
  host: string
  port: number
  address: string
}

/** Refuses by throwing. */
export type AddressCheck = (destination: Destination) => void | Promise<void>

const connectMs = 10_000
/** Without the threads of the system's own, which all work on files takes too. */
const ownLookup = createLookup()

/**
 * A socket to an address that was checked: what is checked is what is connected to, there is no
 * second resolution that could differ.
 */
export async function dial(needs: {
  host: string
  port: number
  checkAddress: AddressCheck | undefined
  signal: AbortSignal
  lookup?: Lookup
}): Promise<Socket> {
  const { host, port, checkAddress, signal, lookup = ownLookup } = needs
  const answers = isIP(host)
    ? [{ address: host }]
    : await Promise.race([resolve(host, lookup), aborted(signal)])
  for (const { address } of answers) await checkAddress?.({ host, port, address })
  let failure: unknown
  for (const { address } of answers) {
    try {
      return await open({ host: address, port, signal })
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    }
  }
  const code = (failure as NodeJS.ErrnoException | undefined)?.code ?? 'no address'
  throw new AppError('unavailable', `The database at ${host}:${port} does not answer (${code}).`, {
    cause: failure,
  })
}

async function resolve(host: string, lookup: Lookup) {
  try {
    return await lookup(host)
  } catch (cause) {
    throw new AppError('unavailable', `The name ${host} is not known.`, { cause })
  }
}

/** Rejects when the signal aborts, and never settles otherwise. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}

function open(needs: { host: string; port: number; signal: AbortSignal }): Promise<Socket> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ host: needs.host, port: needs.port, noDelay: true, keepAlive: true })
  const onAbort = () => socket.destroy(new Error('aborted'))
  const timer = setTimeout(() => socket.destroy(new Error('no answer in time')), connectMs)
  needs.signal.addEventListener('abort', onAbort, { once: true })
  socket.once('connect', () => settle(socket))
  socket.once('error', reject)
  return promise.finally(() => {
    clearTimeout(timer)
    needs.signal.removeEventListener('abort', onAbort)
    socket.removeListener('error', reject)
  })
}
