import type { Clock } from '@dataagent/guard'
import type { Lease } from '../../kv-port.ts'
import type { Standing } from '../relay/messages.ts'
import type { Relay } from '../relay/relay.ts'
import { createBorrowedWishes } from './borrowed-wishes.ts'
import type { OwnLink } from './own-link.ts'
import type { UserPlace } from './user-places.ts'

export interface HoldingOptions {
  link(): OwnLink
  pool: string
  /** Given back with the lease. */
  place: UserPlace | undefined
  mayBeStateless: boolean
  relay: Relay
  leaseMs: number
  clock: Clock
  /** Another process uses it, until the function that it gets is called. */
  borrow(): () => void
  /** The lease was not given back and is no longer held. */
  onLost(): void
}

/** What a process does for the others while it holds a connection by lease. */
export interface Holding {
  readonly isHeld: boolean
  /** The server keeps nothing between requests: each process may have its own connection. */
  readonly isStateless: boolean
  /** Renews the lease from now on, and lets other processes use the connection. */
  take(lease: Lease): void
  /** Tells others that its state or its tools have changed. */
  tell(): void
  /** Gives the lease back and stays connected; who asks is told to connect. */
  letGo(): void
  /** Others wait for who connects next: it is about to end. */
  handOver(): void
  /** Closes the connection, gives the lease back, and tells others: in this order. */
  end(): Promise<void>
}

interface Held {
  lease: Lease
  stopServing(): void
}

export function createHolding(options: HoldingOptions): Holding {
  const { pool, relay, leaseMs, clock, borrow } = options
  let held: Held | undefined
  /** Served beyond the end of the lease, for the sake of those who do not know of it. */
  let serving: Held | undefined
  let seq = 0
  let released: Promise<unknown> = Promise.resolve()
  let isEnding = false
  const wishes = createBorrowedWishes(clock, options.link)

  return {
    get isHeld() {
      return held !== undefined
    },
    get isStateless() {
      return isStateless()
    },
    take(lease) {
      serving?.stopServing()
      const taken = { lease, stopServing: serve(lease) }
      held = taken
      serving = taken
      keep(taken)
      tell()
    },
    tell,
    letGo() {
      const given = held
      held = undefined
      released = Promise.all([released, given?.lease.release(), options.place?.release()])
    },
    handOver,
    async end() {
      handOver()
      const given = held
      held = undefined
      serving?.stopServing()
      wishes.end()
      await options.link().close()
      await Promise.all([released, given?.lease.release(), options.place?.release()])
      if (serving) relay.tell({ kind: 'gone', pool, fence: serving.lease.fence })
    },
  }

  function isStateless(): boolean {
    return options.mayBeStateless && options.link().era === 'modern'
  }

  function handOver(): void {
    if (isEnding) return
    isEnding = true
    tell()
  }

  function tell(): void {
    seq += 1
    if (serving === undefined) return
    relay.tell({ kind: 'news', pool, fence: serving.lease.fence, ...standing() })
  }

  function standing(): Standing {
    const state = isEnding ? ({ status: 'connecting' } as const) : options.link().state
    return { state, stateless: isStateless(), seq }
  }

  function serve({ fence }: Lease): () => void {
    const link = options.link()
    return relay.serve(pool, {
      fence,
      describe: () => ({ ...standing(), tools: link.tools, server: link.server }),
      async call(tool, args, given) {
        const giveBack = borrow()
        return await link.call(tool, args, given).finally(giveBack)
      },
      async ask(asked, given) {
        const giveBack = borrow()
        return await link.ask(asked, given).finally(giveBack)
      },
      wish: wishes.wish,
      refresh: link.refresh,
      reconnect: link.reconnect,
      keep: () => borrow()(),
    })
  }

  /** Renews it three times per `leaseMs`; with the KV away it is held until it lapses. */
  function keep(taken: Held): void {
    const { lease } = taken
    let cancel = clock.after(leaseMs / 3, renew)
    lease.lost.addEventListener('abort', onLost, { once: true })

    function renew(): void {
      void lease.renew().catch(() => undefined)
      cancel = clock.after(leaseMs / 3, renew)
    }

    function onLost(): void {
      cancel()
      if (held !== taken) return
      held = undefined
      options.onLost()
    }
  }
}
