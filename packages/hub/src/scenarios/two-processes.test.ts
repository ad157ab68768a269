import { join } from 'node:path'
import { mallCommand, startMall } from '@dataagent/example-mall'
import { createRedisScope, findService, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Principal } from '../principal.ts'
import type { ChildOptions } from './test-child-hub.ts'
import { type ChildHub, startChildHub } from './test-children.ts'
import { admin } from './test-hub.ts'
import { cancelOrder, getOrder } from './test-mall-words.ts'
import { findProcesses } from './test-processes.ts'
import { openTestStore } from './test-store.ts'

const hasRedis = (await findService('redis')) !== undefined
const ada: Principal = { tenant_id: 'acme', user_id: 'ada', role: 'user', agent_id: 'a' }

const timeout = 60_000

describe.runIf(hasRedis)('two processes on one database and one KV', { timeout }, () => {
  let pair: Pair
  let [first, second]: ChildHub[] = []
  beforeAll(async () => {
    pair = await startPair()
    ;[first, second] = pair.children
  })
  afterAll(() => pair[Symbol.asyncDispose]())

  test('a binding that one withdraws is refused by the other within the second [A2.1]', async () => {
    await using mall = await startMall()
    const server_id = await first!.run('register', admin, remote('orders', mall.url))
    await first!.run('bind', admin, 'a', [{ server_id, tool: '*' }])
    for (const child of pair.children) await untilCalled(child, 'orders')
    const refused = second!.run('untilRefused', ada, callOf('orders'))
    const withdrawnAt = await first!.run('bind', admin, 'a', [])
    const { at, status } = await refused
    console.info(`a withdrawn binding is refused after ${(at - withdrawnAt).toFixed(1)} ms`)
    expect(status).toBe('denied')
    expect(at - withdrawnAt).toBeLessThan(5_000)
    expect(await second!.run('listed', ada)).not.toContain(`orders.${getOrder.tool}`)
    await first!.run('bind', admin, 'a', [{ server_id: '*', tool: '*' }])
  })

  test('an approval that one decides releases the call in the other, once', async () => {
    await using mall = await startMall()
    await first!.run('register', admin, remote('asking', mall.url))
    for (const child of pair.children) await untilCalled(child, 'asking')
    const tool = { server_id: 'asking', name: cancelOrder.tool }
    const ask = (orderId: string) =>
      first!.run('call', ada, { tool, args: { orderId } }, { kind: 'wait' })
    const approved = ask('order-0042')
    await decideNext('approve')
    expect(['ok', 'failed']).toContain((await approved).status)
    expect(await mall.calls(tool.name)).toHaveLength(1)
    const rejected = ask('order-0007')
    await decideNext('reject')
    expect(await rejected).toMatchObject({ status: 'rejected' })
    expect(await mall.calls(tool.name)).toHaveLength(1)
  })

  test('one stdio child serves both, and the other process goes on when its holder dies', async () => {
    const db = join(pair.dir, 'shop.db')
    await first!.run('register', admin, { name: 'local', ...mallCommand({ db }) })
    for (const child of pair.children) await untilCalled(child, 'local')
    const calls = pair.children.flatMap((child) =>
      Array.from({ length: 20 }, () => child.run('call', ada, callOf('local'))),
    )
    for (const outcome of await Promise.all(calls)) expect(outcome.status).toBe('ok')
    expect(findProcesses(db)).toHaveLength(1)
    await first!.kill()
    const begun = performance.now()
    await untilCalled(second!, 'local')
    const ms = Math.round(performance.now() - begun)
    console.info(`after the death of one process the other calls again in ${ms} ms`)
    await waitFor(() => findProcesses(db).length === 1)
    await second!.run('close')
    await waitFor(() => findProcesses(db).length === 0)
  })

  async function decideNext(type: 'approve' | 'reject'): Promise<void> {
    const [id = ''] = await waitFor(async () => {
      const pending = await second!.run('pending', admin)
      return pending.length > 0 ? pending : undefined
    })
    await second!.run('decide', admin, id, type)
  }
})

function remote(name: string, url: string) {
  return { name, url, transport: 'sse' } as const
}

function callOf(server_id: string) {
  return { ...getOrder, tool: { server_id, name: getOrder.tool } }
}

interface Pair extends AsyncDisposable {
  dir: string
  children: [ChildHub, ChildHub]
}

async function startPair(): Promise<Pair> {
  const cleanup = new AsyncDisposableStack()
  const { dir, child } = cleanup.use(await openTestStore())
  const { url, prefix } = cleanup.use(await createRedisScope())
  const options: ChildOptions = { ...child, redis: { url, prefix } }
  const start = (name: string) =>
    startChildHub({ ...options, journalDir: join(child.journalDir, name) })
  const [first, second] = await Promise.all([start('1'), start('2')])
  const children: Pair['children'] = [cleanup.use(first), cleanup.use(second)]
  return { dir, children, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

async function untilCalled(child: ChildHub, server_id: string): Promise<void> {
  const call = callOf(server_id)
  await waitFor(async () => (await child.run('call', ada, call)).status === 'ok', {
    timeoutMs: 15_000,
  })
}
