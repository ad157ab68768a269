import { createFakeClock, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { connectKv } from './connect-kv.ts'
import { ipcPair } from './describe-kv.ts'
import type { IpcEnd } from './ipc.ts'
import { createMemoryKv } from './memory-kv.ts'
import { serveKv } from './serve-kv.ts'

test('a parent that does not answer: each call fails in its time', async () => {
  const clock = createFakeClock()
  const [, parent] = ipcPair()
  const kv = connectKv({ parent, clock, timeoutMs: 500 })
  const call = kv.get('k')
  clock.advance(500)
  await expect(call).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(kv.state).toMatchObject({ status: 'away' })
})

test('more calls than may wait are refused at once', async () => {
  const [, parent] = ipcPair()
  const kv = connectKv({ parent, timeoutMs: 50, maxPending: 10 })
  const calls = await Promise.allSettled(Array.from({ length: 12 }, () => kv.get('k')))
  const reasons = calls.map((call) => call.status === 'rejected' && String(call.reason))
  expect(reasons.filter((reason) => /10 calls/.test(String(reason)))).toHaveLength(3)
})

test('when the channel closes, what waits fails and leases are lost at once', async () => {
  const [worker, parent] = ipcPair()
  serveKv({ kv: createMemoryKv(), worker })
  const kv = connectKv({ parent })
  const lease = await kv.acquireLease('n', { ttlMs: 600_000, owner: 'me' })
  const waiting = kv.get('k')
  emit(parent, 'disconnect')
  expect(lease?.lost.aborted).toBe(true)
  await expect(waiting).rejects.toMatchObject({ code: 'store_unavailable' })
  await expect(kv.get('k')).rejects.toMatchObject({ code: 'store_unavailable' })
})

test('a worker sees the state of the store behind its parent', async () => {
  const store = createMemoryKv()
  const [worker, parent] = ipcPair()
  serveKv({ kv: store, worker })
  const kv = connectKv({ parent })
  await kv.ready(AbortSignal.timeout(5_000))
  await store[Symbol.asyncDispose]()
  await waitFor(() => kv.state.status === 'closed')
  await expect(kv.get('k')).rejects.toMatchObject({ code: 'store_unavailable' })
})

test('messages for a stuck worker are bounded; when it goes on it is told of the gap', async () => {
  const store = createMemoryKv()
  const [worker, parent] = ipcPair()
  const stuck = holdBack(worker)
  serveKv({ kv: store, worker: stuck.end })
  const kv = connectKv({ parent })
  const seen: string[] = []
  await kv.subscribe('c', (text) => void seen.push(text), { onGap: () => void seen.push('gap') })
  stuck.hold()
  for (let i = 0; i < 25_000; i++) await store.publish('c', String(i))
  stuck.release()
  await waitFor(() => seen.includes('gap'))
  expect(seen.length).toBeLessThanOrEqual(10_003)
  expect(seen.slice(0, 3)).toEqual(['0', '1', '2'])
  expect(seen.at(-1)).toBe('gap')
  await store.publish('c', 'again')
  await waitFor(() => seen.at(-1) === 'again')
})

test('other messages of the channel are left alone, and only the methods of the port can be called', async () => {
  const [worker, parent] = ipcPair()
  const answers: unknown[] = []
  parent.on('message', (message) => answers.push(message))
  serveKv({ kv: createMemoryKv(), worker })
  const names = ['constructor', '__proto__', 'toString', 'onStateChange', 'hasOwnProperty']
  const calls = names.map((name, id) => ['call', id, name, []])
  for (const message of [
    null,
    'text',
    { other: 1 },
    { dataagentKv: 'x' },
    { dataagentKv: calls },
  ]) {
    emit(worker, 'message', message)
  }
  await waitFor(() => JSON.stringify(answers).includes('"error",4'))
  expect(answers.flatMap((message) => Object(message).dataagentKv.slice())).toEqual([
    ['state', { status: 'ready' }],
    ...names.map((name, id) => ['error', id, 'method_not_found', `The KV has no "${name}".`]),
  ])
})

function emit(end: IpcEnd, event: string, message?: unknown): void {
  ;(end as unknown as NodeJS.EventEmitter).emit(event, message)
}

/** An end whose peer can stop reading: nothing is delivered meanwhile. */
function holdBack(end: IpcEnd) {
  const send = end.send?.bind(end)
  let held: (() => void)[] | undefined
  end.send = (message, onSent) => {
    if (held) held.push(() => send?.(message, onSent))
    else send?.(message, onSent)
    return true
  }
  return {
    end,
    hold() {
      held = []
    },
    release() {
      const waiting = held ?? []
      held = undefined
      for (const go of waiting) go()
    },
  }
}
