import { type Clock, systemClock } from '@dataagent/guard'
import { createChannels, type ReportError, warnOfError } from './channels.ts'
import { createIpcPipe, type IpcEnd, type WireItem } from './ipc.ts'
import { createIpcCalls } from './ipc-calls.ts'
import type { Kv, KvState } from './kv.ts'
import { createLease, type Lease } from './lease.ts'
import { closedReason, createStateCell } from './state.ts'

export interface ConnectKvOptions {
  /** The channel to the parent: `process` in a worker. */
  parent: IpcEnd
  clock?: Clock
  /** How long one call may take; default 5,000. */
  timeoutMs?: number
  /** Calls that may wait at once; more reject at once. Default 10,000. */
  maxPending?: number
  /** What message handlers throw; by default a process warning. */
  onHandlerError?: ReportError
}

/**
 * The KV of the parent process (see `serveKv`), seen from a worker; one per worker. Once the parent
 * is gone every call rejects with `store_unavailable` and every lease is lost.
 */
export function connectKv({
  parent,
  clock = systemClock,
  timeoutMs = 5_000,
  maxPending = 10_000,
  onHandlerError = warnOfError,
}: ConnectKvOptions): Kv {
  const state = createStateCell({ status: 'away', reason: 'the parent process has not answered' })
  const channels = createChannels(onHandlerError)
  const leases = new Set<Lease>()
  const pipe = createIpcPipe({ end: parent, onItem, onClose: () => onGone() })
  const calls = createIpcCalls({
    clock,
    timeoutMs,
    maxPending,
    send: (id, method, args) => pipe.send(['call', id, method, args]),
  })
  const to =
    (method: string) =>
    (...args: unknown[]) =>
      calls.call(method, ...args)
  let lastHandle = 0
  void calls.call('hello').then((first) => state.set(first as KvState), ignore)

  function onItem(item: WireItem): void {
    if (item[0] === 'ok') calls.succeed(item[1], item[2])
    else if (item[0] === 'error') calls.fail(item[1], item[2], item[3])
    else if (item[0] === 'message') channels.deliver(String(item[1]), item[2])
    else if (item[0] === 'gap') channels.gap([String(item[1])])
    else if (item[0] === 'state') state.set(item[1])
  }

  function onGone(reason = 'the parent process is gone'): void {
    state.set({ status: 'away', reason })
    calls.end(reason)
    for (const lease of leases) void lease.release()
  }

  /** What the parent made for a call that failed here must not stay there. */
  async function make(method: string, undo: string, args: unknown[]): Promise<unknown> {
    try {
      return await calls.call(method, ...args)
    } catch (error) {
      void calls.call(undo, args[0]).catch(ignore)
      throw error
    }
  }

  return {
    get state() {
      return state.current
    },
    onStateChange: state.onStateChange,
    ready: state.ready,

    get: to('get') as Kv['get'],
    set: to('set') as Kv['set'],
    delete: to('delete') as Kv['delete'],
    take: to('take') as Kv['take'],
    setIfAbsent: to('setIfAbsent') as Kv['setIfAbsent'],
    compareAndSet: to('compareAndSet') as Kv['compareAndSet'],
    expiry: to('expiry') as Kv['expiry'],
    list: to('list') as Kv['list'],
    count: to('count') as Kv['count'],
    add: to('add') as Kv['add'],
    publish: to('publish') as Kv['publish'],
    leaseHolder: to('leaseHolder') as Kv['leaseHolder'],

    async subscribe(channel, handler, { onGap } = {}) {
      const handle = ++lastHandle
      const subscriber = { handler, onGap }
      channels.add(String(handle), subscriber)
      try {
        await make('subscribe', 'unsubscribe', [handle, channel])
      } catch (error) {
        channels.remove(String(handle), subscriber)
        throw error
      }
      return async () => {
        if (channels.remove(String(handle), subscriber)) {
          await calls.call('unsubscribe', handle).catch(ignore)
        }
      }
    },

    async acquireLease(name, { ttlMs, owner }) {
      const handle = ++lastHandle
      const askedAt = clock.monotonic()
      const fence = await make('acquireLease', 'releaseLease', [handle, name, { ttlMs, owner }])
      if (typeof fence !== 'number') return undefined
      const lease = createLease({
        name,
        owner,
        fence,
        ttlMs,
        askedAt,
        clock,
        renew: () => calls.call('renewLease', handle) as Promise<boolean>,
        release: () => calls.call('releaseLease', handle),
      })
      leases.add(lease)
      lease.lost.addEventListener('abort', () => leases.delete(lease), { once: true })
      return lease
    },

    async [Symbol.asyncDispose]() {
      await calls.call('forget').catch(ignore)
      state.set({ status: 'closed' })
      calls.end(closedReason)
      pipe.close()
    },
  }
}

function ignore(): void {}
