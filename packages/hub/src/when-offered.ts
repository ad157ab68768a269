import { AppError } from '@dataagent/schema'
import type { Catalogue } from './catalogue/index.ts'
import type { Upstreams } from './upstreams/index.ts'

/**
 * Rejects with `unavailable` and why, where the server cannot be reached and is not tried again by
 * itself: its address is refused, a person must sign in, its credentials cannot be opened. Else
 * with the signal's reason: a server without tools is waited for until then.
 */
export type WhenOffered = (
  server: { tenant_id: string; server_id: string },
  options?: { signal?: AbortSignal },
) => Promise<void>

export interface WhenOfferedMeans {
  catalogue: Pick<Catalogue, 'ofServer' | 'onChange'>
  upstreams: Pick<Upstreams, 'health' | 'onHealth'>
}

export function createWhenOffered({ catalogue, upstreams }: WhenOfferedMeans): WhenOffered {
  return async ({ tenant_id, server_id }, { signal } = {}) => {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const look = () => {
      const entries = catalogue.ofServer(tenant_id, server_id)
      if (entries.some(({ offer }) => offer.status === 'offered')) return resolve()
      const error = findLasting(upstreams, { tenant_id, server_id })
      if (error) reject(error)
    }
    const giveUp = () => reject(signal?.reason)
    const stops = [catalogue.onChange(look), upstreams.onHealth(look)]
    signal?.addEventListener('abort', giveUp, { once: true })
    look()
    try {
      await promise
    } finally {
      for (const stop of stops) stop()
      signal?.removeEventListener('abort', giveUp)
    }
  }
}

/** Where every connection to it has failed, and none is tried again. */
function findLasting(
  { health }: Pick<Upstreams, 'health'>,
  { tenant_id, server_id }: { tenant_id: string; server_id: string },
): AppError | undefined {
  const all = health(tenant_id, server_id)
  const [first] = all
  const isLasting = all.every(
    ({ status, retry_at }) => status === 'error' && retry_at === undefined,
  )
  if (!first || !isLasting) return undefined
  const { message = 'it cannot be reached', authorization_url } = first
  const data = { server_id, ...(authorization_url && { authorization_url }) }
  return new AppError('unavailable', `the server "${server_id}" is in error: ${message}`, { data })
}
