import { AppError, isAppError } from '@dataagent/schema'
import { createIpcPipe, type IpcEnd, type WireItem } from './ipc.ts'
import type { Kv } from './kv.ts'
import type { Lease, LeaseOptions } from './lease.ts'

export interface ServeKvOptions {
  kv: Kv
  /** The worker: a ChildProcess from `fork`, or a cluster Worker. */
  worker: IpcEnd
}

/** Methods whose arguments and results are plain JSON. */
const plainMethods = new Set([
  'get',
  'set',
  'delete',
  'take',
  'setIfAbsent',
  'compareAndSet',
  'expiry',
  'list',
  'count',
  'add',
  'publish',
  'leaseHolder',
])

/**
 * Published messages that may wait for one worker; past it they are dropped and the worker is told
 * of a gap.
 */
const longestQueue = 10_000

type Method = (...args: never[]) => Promise<unknown>

/**
 * Serves this process's KV to one worker over its IPC channel. When the worker dies or disconnects
 * its subscriptions end and its leases are given back at once. The returned function stops serving.
 */
export function serveKv({ kv, worker }: ServeKvOptions): () => void {
  const leases = new Map<number, Lease>()
  const subscriptions = new Map<number, () => Promise<void>>()
  const gapsTold = new Map<number, number>()
  let closed = false
  const pipe = createIpcPipe({ end: worker, onItem, onClose })
  const stopState = kv.onStateChange((state) => pipe.send(['state', state]))
  pipe.send(['state', kv.state])

  const ownMethods: Record<string, Method> = {
    hello: async () => kv.state,
    forget,
    acquireLease,
    renewLease: async (id: number) => (await leases.get(id)?.renew()) ?? false,
    releaseLease: async (id: number) => leases.get(id)?.release(),
    subscribe,
    unsubscribe,
  }

  function onItem(item: WireItem): void {
    if (item[0] === 'call') void answer(item[1], item[2], item[3])
  }

  async function answer(id: number, method: string, args: unknown[]): Promise<void> {
    try {
      const given = args.map((arg) => arg ?? undefined)
      const value = await methodOf(method)(...(given as never[]))
      pipe.send(['ok', id, value])
    } catch (error) {
      const known = isAppError(error)
        ? error
        : new AppError('internal', 'The parent process failed.')
      pipe.send(['error', id, known.code, known.message])
    }
  }

  function methodOf(name: string): Method {
    if (plainMethods.has(name)) return (kv[name as keyof Kv] as Method).bind(kv)
    const own = Object.hasOwn(ownMethods, name) ? ownMethods[name] : undefined
    if (own === undefined) throw new AppError('method_not_found', `The KV has no "${name}".`)
    return own
  }

  async function acquireLease(id: number, name: string, options: LeaseOptions) {
    const lease = await kv.acquireLease(name, options)
    if (lease === undefined) return undefined
    leases.set(id, lease)
    lease.lost.addEventListener('abort', () => leases.delete(id), { once: true })
    if (closed) await lease.release()
    return lease.fence
  }

  async function subscribe(id: number, channel: string): Promise<void> {
    const handler = (text: string): void => sendMessage(id, text)
    const onGap = (): void => pipe.send(['gap', id])
    subscriptions.set(id, await kv.subscribe(channel, handler, { onGap }))
    if (closed) await unsubscribe(id)
  }

  function sendMessage(id: number, text: string): void {
    if (pipe.waiting < longestQueue) {
      pipe.send(['message', id, text])
    } else if (gapsTold.get(id) !== pipe.batch) {
      gapsTold.set(id, pipe.batch)
      pipe.send(['gap', id])
    }
  }

  async function unsubscribe(id: number): Promise<void> {
    const end = subscriptions.get(id)
    subscriptions.delete(id)
    gapsTold.delete(id)
    await end?.()
  }

  async function forget(): Promise<void> {
    const held = [...leases.values()].map((lease) => lease.release())
    await Promise.all([...held, ...[...subscriptions.keys()].map(unsubscribe)])
  }

  function onClose(): void {
    closed = true
    stopState()
    void forget()
  }

  return pipe.close
}
