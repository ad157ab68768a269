import { type Clock, wait } from '@dataagent/guard'
import type { Kv, Lease } from '../../kv-port.ts'
import { type Quota, toQuotaWords, unavailableError } from '../calls/errors.ts'
import type { Relay } from '../relay/relay.ts'
import { createRemoteLink } from '../relay/remote-link.ts'
import { createHeldLink } from './held-link.ts'
import type { Link, LinkEvents, LinkState, LinkWait } from './link.ts'
import type { OwnLink } from './own-link.ts'
import type { UserPlace } from './user-places.ts'

export interface LeasedLinkOptions {
  /** The same text in all processes for the same server, configuration and credential. */
  pool: string
  /** Whether the server may turn out to keep nothing between requests. */
  mayBeStateless: boolean
  openOwn(events: LinkEvents): OwnLink
  /** A place among the user's connections of all processes; undefined where there is none. */
  takePlace(): Promise<UserPlace | undefined>
  /** What holds where there is none. */
  quota: Quota
  relay: Relay
  kv: Kv
  leaseMs: number
  events: LinkEvents
  clock: Clock
  /** Whether this process needs it though it makes no calls now. */
  isNeeded(): boolean
  /** Another process uses it, until the function that it gets is called. */
  borrow(): () => void
}

const awayMs = 1_000
const foundMs = 10_000
/** How long to wait for a place among the user's connections. */
const fullMs = 2_000

/**
 * A connection that one of all processes holds: this one where it has the lease, else it calls
 * through the one that has. When that one dies, whoever gets the lease next connects.
 */
export function createLeasedLink(options: LeasedLinkOptions): Link {
  const { pool, relay, kv, leaseMs, events, clock } = options
  const name = `upstream:${pool}`
  const closing = new AbortController()
  const { signal: closed } = closing
  let link: Link | undefined
  let fault: LinkState = { status: 'connecting' }
  let cancelCheck: (() => void) | undefined
  /** Settles when what came before has let go. */
  let left: Promise<unknown> = Promise.resolve()
  let seeking = seek()

  return {
    get holder() {
      return link?.holder
    },
    get state() {
      return link?.state ?? fault
    },
    get server() {
      return link?.server
    },
    call(tool, args, given) {
      return link?.call(tool, args, given) ?? Promise.reject(notYet())
    },
    ask(asked, given) {
      return link?.ask(asked, given) ?? Promise.reject(notYet())
    },
    wish(wishes, who) {
      return link?.wish(wishes, who) ?? Promise.reject(notYet())
    },
    async refresh(given) {
      await (await found(given)).refresh(given)
    },
    async reconnect(given) {
      await (await found(given)).reconnect(given)
    },
    handOver() {
      link?.handOver?.()
    },
    async close() {
      closing.abort()
      cancelCheck?.()
      await seeking
      await leave()
      await left
    },
  }

  /** Goes on until this process or another holds the connection. Never rejects. */
  async function seek(): Promise<void> {
    await left
    while (!closed.aborted) {
      try {
        await relay.ready(closed)
        if (closed.aborted) return
        const lease = await acquire()
        if (lease !== undefined && (await begin(lease))) return
        const holder = await kv.leaseHolder(name)
        if (holder !== undefined && holder.owner !== relay.owner) return remote(holder)
        // An earlier link of this process is on its way out, or the lease has just lapsed.
        await wait(clock, Math.min(50, holder?.leftMs ?? 0), closed)
      } catch (error) {
        await away(error)
      }
    }
  }

  /** False where there is no place for the connection. */
  async function begin(lease: Lease): Promise<boolean> {
    const place = await options.takePlace().catch(async (error) => {
      await lease.release()
      throw error
    })
    if (place !== undefined && !closed.aborted) {
      own(lease, place)
      return true
    }
    await Promise.all([lease.release(), place?.release()])
    if (place === undefined) await full()
    return closed.aborted
  }

  async function full(): Promise<void> {
    const { quota } = options
    const retry_at = clock.now() + fullMs
    fault = { status: 'error', message: toQuotaWords(quota), fault: 'quota', retry_at, quota }
    events.onState()
    await wait(clock, fullMs, closed)
  }

  async function away(error: unknown): Promise<void> {
    const message = `The KV is away, so nobody knows who holds the connection: ${String(error)}`
    const retry_at = clock.now() + awayMs
    fault = { status: 'error', message, fault: 'other', retry_at }
    events.onState()
    await wait(clock, awayMs, closed)
  }

  function own(lease?: Lease, place?: UserPlace): void {
    const onYield = () => change(seek)
    link = createHeldLink({ ...options, lease, place, acquire, onYield })
    events.onState()
  }

  function acquire(): Promise<Lease | undefined> {
    return kv.acquireLease(name, { ttlMs: leaseMs, owner: relay.owner })
  }

  function remote({ owner: holder, fence }: { owner: string; fence: number }): void {
    if (closed.aborted) return
    const place = { pool, fence }
    const onEnd = (how: 'gone' | 'stateless') =>
      change(how === 'stateless' ? async () => own() : seek)
    link = createRemoteLink({ relay, place, holder, events, clock, onEnd })
    events.onState()
    check(holder, fence)
  }

  /** Looks whether the holder still holds it: no later than its lease ends. */
  function check(holder: string, fence: number): void {
    const current = link
    void kv.leaseHolder(name).then(
      (now) => {
        if (link !== current || closed.aborted) return
        if (now?.fence !== fence) return change(seek)
        if (options.isNeeded()) relay.keep(holder, pool)
        plan(Math.min(leaseMs / 3, now.leftMs + 1))
      },
      () => link === current && plan(awayMs),
    )

    function plan(ms: number): void {
      cancelCheck = clock.after(ms, () => check(holder, fence))
    }
  }

  /** Ends the way of now and begins another. */
  function change(next: () => Promise<void>): void {
    if (closed.aborted) return
    cancelCheck?.()
    fault = { status: 'connecting' }
    void leave()
    seeking = next()
    events.onState()
  }

  function leave(): Promise<unknown> {
    const leaving = link?.close()
    link = undefined
    left = Promise.all([left, leaving])
    return left
  }

  /** The link, once it is known who holds the connection. */
  async function found({ signal }: LinkWait): Promise<Link> {
    if (link === undefined && fault.status !== 'error') {
      const done = new AbortController()
      void seeking.then(() => done.abort())
      const ends = [closed, done.signal, ...(signal ? [signal] : [])]
      await wait(clock, foundMs, AbortSignal.any(ends))
    }
    if (link === undefined) throw notYet()
    return link
  }

  function notYet() {
    const { status } = fault
    return unavailableError('The server is being connected.', { status })
  }
}
