import type { Catalogue } from './catalogue/index.ts'

/** Rejects with the signal's reason. A server without tools is waited for until then. */
export type WhenOffered = (
  server: { tenant_id: string; server_id: string },
  options?: { signal?: AbortSignal },
) => Promise<void>

export function createWhenOffered(
  catalogue: Pick<Catalogue, 'ofServer' | 'onChange'>,
): WhenOffered {
  return async ({ tenant_id, server_id }, { signal } = {}) => {
    signal?.throwIfAborted()
    const entries = () => catalogue.ofServer(tenant_id, server_id)
    const isOffered = () => entries().some(({ offer }) => offer.status === 'offered')
    if (isOffered()) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => reject(signal?.reason)
    const stop = catalogue.onChange(() => isOffered() && resolve())
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      await promise
    } finally {
      stop()
      signal?.removeEventListener('abort', giveUp)
    }
  }
}
