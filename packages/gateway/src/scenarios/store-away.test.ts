import type { Kv } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { expect, onTestFinished, test } from 'vitest'
import { openSession, openSse } from './test-clients.ts'
import { startTestGateway } from './test-gateway.ts'
import { createMovingClock } from './test-moving-clock.ts'
import { signIn } from './test-sign-in.ts'
import { ask, request, send } from './test-wire.ts'

/** A store that can be away. */
function createLeavingKv(kv: Kv): { kv: Kv; leave(): void; comeBack(): void } {
  let isAway = false
  const guarded = new Proxy(kv, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function' || typeof name === 'symbol') return member
      return async (...args: unknown[]) => {
        if (isAway) throw new AppError('store_unavailable', 'The store is away.')
        return Reflect.apply(member, target, args)
      }
    },
  })
  return {
    kv: guarded,
    leave: () => {
      isAway = true
    },
    comeBack: () => {
      isAway = false
    },
  }
}

test('while the KV is away a live stream is told so, others get a 503, and it goes on after [E1.1][E3.1] [F16]', async () => {
  const clock = createMovingClock()
  const memory = createMemoryKv({ clock })
  onTestFinished(() => memory[Symbol.asyncDispose]())
  const { kv, leave, comeBack } = createLeavingKv(memory)
  const { workers, key } = await startTestGateway({ kvs: [kv, kv], clock })
  const [{ url }] = workers
  const { access_token: token } = await signIn(url, { key })
  const sse = await openSse(url, token)
  const { headers } = await openSession(url, token)
  const list = request(1, 'tools/list')
  leave()
  clock.advance(10_000)
  expect((await sse.post(url, request(1, 'tools/list'))).status).toBe(202)
  const told = await sse.stream.until(({ id }) => id === 1)
  expect(told.error).toMatchObject({ code: -32603, message: expect.stringContaining('away') })
  const wire = await send(`${url}/mcp`, { token, headers, body: list })
  expect([wire.status, wire.headers.get('retry-after')]).toEqual([503, '1'])
  // A key needs no store: its calls go on, within limits that are counted here.
  expect((await ask(`${url}/mcp`, { token: key, body: list })).result.tools).toHaveLength(2)
  comeBack()
  expect((await sse.ask(url, 2, 'tools/list')).result.tools).toHaveLength(2)
  expect((await ask(`${url}/mcp`, { token, headers, body: list })).status).toBe(200)
})
