import { type Clock, wait } from '@dataagent/guard'
import type { Catalogue } from '../catalogue/index.ts'
import type { Upstreams } from '../upstreams/index.ts'
import { type AdmitMeans, admit } from './admit.ts'
import { cancelled } from './fault.ts'
import type { Admitted, Ending, Underway } from './underway.ts'

export interface AdmitSoonMeans extends AdmitMeans {
  catalogue: Pick<Catalogue, 'onChange'>
  upstreams: Pick<Upstreams, 'health' | 'onHealth'>
  clock: Clock
}

const longestMs = 10_000

/**
 * Waits for a server that is being connected: just after a start, or while its connection changes
 * hands. Any other refusal stands.
 */
export async function admitSoon(
  means: AdmitSoonMeans,
  underway: Underway,
  refused: Ending,
): Promise<Admitted | Ending> {
  if (!isBeingConnected(means, underway)) return refused
  const { context, call } = underway
  const { signal } = context
  const connected = new AbortController()
  const look = () => isBeingConnected(means, underway) || connected.abort()
  const stops = [means.catalogue.onChange(look), means.upstreams.onHealth(look)]
  const ends = [connected.signal, ...(signal ? [signal] : [])]
  const { timeout_ms = longestMs } = call
  try {
    await wait(means.clock, Math.min(longestMs, timeout_ms), AbortSignal.any(ends))
  } finally {
    for (const stop of stops) stop()
  }
  return signal?.aborted ? cancelled(underway) : admit(means, underway)
}

/** It is tried for the first time, or it is there and its tools are about to be known. */
function isBeingConnected(
  { policy, upstreams }: AdmitSoonMeans,
  { context, call }: Underway,
): boolean {
  const found = policy.resolve(context, call.tool)
  if (found.status !== 'found' || found.entry.offer.status !== 'unavailable') return false
  const { tenant_id, server_id } = found.entry.tool
  return upstreams
    .health(tenant_id, server_id)
    .some(({ status, fault }) => status === 'running' || fault === 'connecting')
}
