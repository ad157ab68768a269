import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '@dataagent/guard'
import { createFakeClock, createRedisScope, type FakeClock, findService } from '@dataagent/testkit'
import { afterAll, describe, test } from 'vitest'
import { connectKv } from './connect-kv.ts'
import type { IpcEnd } from './ipc.ts'
import type { Kv } from './kv.ts'
import { createMemoryKv } from './memory-kv.ts'
import { createRedisKv } from './redis-kv.ts'
import { serveKv } from './serve-kv.ts'

/**
 * A store as two of its users see it. It is shared by the tests of one `describeKv`: use keys of
 * your own.
 */
export interface KvUnderTest {
  kv: Kv
  /** The same store seen from another process or node. */
  other: Kv
  /** What the code under test is to take as its clock. */
  clock: Clock
  /**
   * Lets that much time pass for the store and the clock: at once where time is fake, else by
   * waiting.
   */
  elapse(ms: number): Promise<void>
}

type OpenKv = (stack: AsyncDisposableStack) => Promise<KvUnderTest>

/**
 * Runs the same tests on the KV in memory, on one served by a parent process, and on a real Redis.
 */
export function describeKv(name: string, body: (store: KvUnderTest) => void): void {
  describeOne(`${name} in memory`, body, openMemory)
  describeOne(`${name} served by a parent`, body, openServed)
  describe(`${name} on Redis`, async () => {
    if (await findService('redis')) await runBody(body, openRedis)
    else test.skip('no Redis here', () => {})
  })
}

function describeOne(name: string, body: (store: KvUnderTest) => void, open: OpenKv): void {
  describe(name, () => runBody(body, open))
}

async function runBody(body: (store: KvUnderTest) => void, open: OpenKv): Promise<void> {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())
  body(await open(stack))
}

async function openMemory(stack: AsyncDisposableStack): Promise<KvUnderTest> {
  const clock = createFakeClock()
  const kv = stack.use(createMemoryKv({ clock }))
  return { kv, other: kv, clock, elapse: (ms) => clock.advanceAsync(ms) }
}

async function openServed(stack: AsyncDisposableStack): Promise<KvUnderTest> {
  const clock = createFakeClock()
  const parent = stack.use(createMemoryKv({ clock }))
  const connect = (): Kv => {
    const [parentEnd, workerEnd] = ipcPair()
    stack.defer(serveKv({ kv: parent, worker: parentEnd }))
    return stack.use(connectKv({ parent: workerEnd, clock }))
  }
  const [kv, other] = [connect(), connect()]
  return { kv, other, clock, elapse: (ms) => elapseServed(clock, kv, ms) }
}

/** Moves on in steps with a round trip after each, as real time would leave room for answers. */
async function elapseServed(clock: FakeClock, kv: Kv, ms: number): Promise<void> {
  const step = Math.ceil(ms / 60)
  for (let left = ms; left > 0; left -= step) {
    clock.advance(Math.min(step, left))
    await kv.get('elapsed')
  }
}

async function openRedis(stack: AsyncDisposableStack): Promise<KvUnderTest> {
  const { url, prefix } = stack.use(await createRedisScope())
  const connect = (): Kv => stack.use(createRedisKv({ url, prefix }))
  return { kv: connect(), other: connect(), clock: systemClock, elapse: (ms) => sleep(ms + 1) }
}

/**
 * Two ends of a channel that does what Node's IPC does, inside one process: JSON, in order, later.
 */
export function ipcPair(): [IpcEnd, IpcEnd] {
  const [first, second] = [new EventEmitter(), new EventEmitter()]
  return [toEnd(first, second), toEnd(second, first)]
}

function toEnd(own: EventEmitter, peer: EventEmitter): IpcEnd {
  return Object.assign(own, {
    send(message: unknown, onSent: (error: Error | null) => void): boolean {
      const text = JSON.stringify(message)
      setImmediate(() => {
        peer.emit('message', JSON.parse(text))
        onSent(null)
      })
      return true
    },
  })
}
