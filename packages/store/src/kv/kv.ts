import type { Lease, LeaseHolder, LeaseOptions } from './lease.ts'

/**
 * Short-lived state shared by processes: sessions, codes, limits, hints, ownership. Three
 * implementations keep this contract: `createMemoryKv`, `connectKv` (the parent's, seen from a
 * worker) and `createRedisKv`.
 *
 * Every method may reject with `store_unavailable` when the store is away; it then does so in
 * bounded time (at once when the store is known to be away) and never hangs. A write that so failed
 * may or may not have happened. A key that is empty, longer than 1,024 characters or begins with
 * `#`, and a number out of range, reject with `invalid_request`. Values, windows, counters and
 * leases of the same name do not touch each other. Text is well-formed Unicode.
 */
export interface Kv extends AsyncDisposable {
  readonly state: KvState
  /** Calls `handler` on each later change of `state`, until the returned function is called. */
  onStateChange(handler: (state: KvState) => void): () => void
  /**
   * Resolves once the store answers; rejects with `store_unavailable` when closed, or the signal's
   * reason.
   */
  ready(signal?: AbortSignal): Promise<void>

  get(key: string): Promise<string | undefined>
  /** Without `ttlMs` the value stays until deleted, also when it had an expiry before. */
  set(key: string, value: string, options?: Expiring): Promise<void>
  /** Whether there was a value. */
  delete(key: string): Promise<boolean>
  /** Gets and deletes in one step: of any number of callers exactly one gets the value. */
  take(key: string): Promise<string | undefined>
  /** Whether it was set; a value already there is left as it is, expiry included. */
  setIfAbsent(key: string, value: string, options?: Expiring): Promise<boolean>
  /**
   * Replaces `expected` by `next` in one step; `undefined` stands for "no value". False when
   * another value was found. As with `set`, no `ttlMs` means no expiry.
   */
  compareAndSet(
    key: string,
    expected: string | undefined,
    next: string | undefined,
    options?: Expiring,
  ): Promise<boolean>
  expiry(key: string): Promise<Expiry>
  /**
   * One page of the keys that begin with `prefix`; ask again with `cursor` until there is none. A
   * page may be empty. A key that is there throughout is given at least once, perhaps twice. The
   * work grows with all keys of the store: for administration, not for every request.
   */
  list(prefix: string, cursor?: string): Promise<KeyPage>

  /**
   * Counts one call (or `cost`) when it fits, in one step: never more than `max` in any span of
   * `windowMs`, wherever it begins. A call is counted for at least `windowMs` and at most 1/64
   * longer, so that a key costs at most 66 entries whatever `max` is. A refused call is not
   * counted; `cost: 0` only asks.
   */
  count(key: string, limit: WindowLimit): Promise<WindowCount>
  /**
   * Changes a counter (0 when absent) in one step, or refuses and leaves it. `max` bounds raising
   * it and `min` lowering it. Each change restarts `ttlMs`; `by: 0` only reads.
   */
  add(key: string, by: number, bounds?: CounterBounds): Promise<CounterChange>

  /** A hint to whoever listens now: delivered at most once, in order per publisher. */
  publish(channel: string, text: string): Promise<void>
  /**
   * Resolves once messages arrive. `handler` runs later than the publisher's call; what it throws
   * is reported and harms no other. `onGap` says that messages may have been missed (the store was
   * away, or this end too slow) and that they arrive again. The returned function ends it and does
   * not reject.
   */
  subscribe(
    channel: string,
    handler: MessageHandler,
    options?: SubscribeOptions,
  ): Promise<() => Promise<void>>

  /** The lease, or undefined while another holds it (the same owner too). */
  acquireLease(name: string, options: LeaseOptions): Promise<Lease | undefined>
  /** Who holds the lease now. */
  leaseHolder(name: string): Promise<LeaseHolder | undefined>
}

export type KvState =
  | { status: 'ready' }
  | { status: 'away'; reason: string }
  | { status: 'closed' }

export interface Expiring {
  /** A whole number of milliseconds from 1. */
  ttlMs?: number
}

export type Expiry = { kind: 'absent' } | { kind: 'never' } | { kind: 'in'; ms: number }

export interface KeyPage {
  keys: string[]
  cursor: string | undefined
}

export interface WindowLimit {
  max: number
  windowMs: number
  /** Default 1. More than `max` never passes. */
  cost?: number
}

/** `used` is what the window holds after the call. */
export type WindowCount =
  | { status: 'ok'; used: number; left: number }
  | { status: 'limited'; used: number; retryAfterMs: number }

export interface CounterBounds extends Expiring {
  max?: number
  min?: number
}

/** `value` is the counter after the call. */
export type CounterChange = { status: 'ok'; value: number } | { status: 'refused'; value: number }

export type MessageHandler = (text: string) => void | Promise<void>

export interface SubscribeOptions {
  onGap?: () => void
}
