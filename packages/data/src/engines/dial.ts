import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
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

/**
 * A socket to an address that was checked: what is checked is what is connected to, there is no
 * second resolution that could differ.
 */
export async function dial(needs: {
  host: string
  port: number
  checkAddress: AddressCheck | undefined
  signal: AbortSignal
}): Promise<Socket> {
  const { host, port, checkAddress, signal } = needs
  const answers = isIP(host) ? [{ address: host }] : await resolve(host)
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

async function resolve(host: string) {
  try {
    return await lookup(host, { all: true })
  } catch (cause) {
    throw new AppError('unavailable', `The name ${host} is not known.`, { cause })
  }
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
