/**
 * What the hub needs of the KV, as `@dataagent/store/kv` describes it. Every method may reject with
 * `store_unavailable`, in bounded time.
 */
export interface Kv {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, options?: { ttlMs?: number }): Promise<void>
  delete(key: string): Promise<boolean>
  take(key: string): Promise<string | undefined>
  setIfAbsent(key: string, value: string, options?: { ttlMs?: number }): Promise<boolean>
  count(
    key: string,
    limit: { max: number; windowMs: number; cost?: number },
  ): Promise<
    | { status: 'ok'; used: number; left: number }
    | { status: 'limited'; used: number; retryAfterMs: number }
  >
  add(
    key: string,
    by: number,
    bounds?: { max?: number; min?: number; ttlMs?: number },
  ): Promise<{ status: 'ok' | 'refused'; value: number }>
  publish(channel: string, text: string): Promise<void>
  subscribe(
    channel: string,
    handler: (text: string) => void | Promise<void>,
    options?: { onGap?: () => void },
  ): Promise<() => Promise<void>>
  acquireLease(name: string, options: { ttlMs: number; owner: string }): Promise<Lease | undefined>
  leaseHolder(name: string): Promise<{ owner: string; fence: number; leftMs: number } | undefined>
}

/** Sole ownership of a name for a time; `lost` aborts when it ends, however it does. */
export interface Lease extends AsyncDisposable {
  readonly fence: number
  readonly lost: AbortSignal
  renew(): Promise<boolean>
  release(): Promise<void>
}
