import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createRedisKv } from '@dataagent/store/kv'
import {
  canStartService,
  createRedisScope,
  findService,
  longCount,
  startRedis,
  waitFor,
} from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { Limiter } from './contract.ts'
import { createLimiter } from './limiter.ts'
import type { BurstAnswer, BurstOrder } from './test-limiter-process.ts'
import { makeLimit, makePrincipal } from './test-limits.ts'

const principal = makePrincipal()
const hasRedis = (await findService('redis')) !== undefined
const canStart = await canStartService('redis')

describe.skipIf(!hasRedis)('limits of several processes on Redis', () => {
  const [processes, forMs] = [longCount(2, 8), longCount(1_300, 30_000)]

  test(`${processes} processes bursting at once for ${forMs / 1_000} s pass exactly the limit, and never more in any window [T32]`, async () => {
    await using scope = await createRedisScope()
    await using workers = startWorkers(processes, scope)
    const [burst, sliding] = [makeLimit(100, 60_000), makeLimit(40, 500)]
    const once = await workers.run({ limits: [burst], calls: 200, forMs: 0 })
    expect(once.flat()).toHaveLength(100)
    const passed = (await workers.run({ limits: [sliding], calls: 40, forMs })).flat()
    expect(mostWithin(passed, 500)).toBeLessThanOrEqual(40)
    expect(passed.length).toBeGreaterThan(40)
  })
})

describe.skipIf(!canStart)('limits with Redis gone in the middle', () => {
  test('each process goes on with what was left, at once, and Redis is used again later', async () => {
    await using server = await startRedis()
    await using stack = new AsyncDisposableStack()
    const limit = makeLimit(60, 600_000)
    const nodes = Array.from({ length: 4 }, () => {
      const kv = stack.use(createRedisKv({ url: server.url, prefix: 'p:', timeoutMs: 300 }))
      const local = { verdicts: 0 }
      return { local, ...createLimiter({ kv, onLocal: () => void local.verdicts++ }) }
    })
    const each = (calls: number) => Promise.all(nodes.map((node) => takeOk(node, calls, limit)))

    expect(sum(await each(5))).toBe(20)
    await server.kill()
    const begun = performance.now()
    const alone = await each(500)
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(alone.every((passed) => passed <= 60 - 5)).toBe(true)
    expect(sum(alone)).toBeGreaterThan(0)
    expect(await each(500)).toEqual([0, 0, 0, 0])
    expect(nodes.every(({ local }) => local.verdicts > 0)).toBe(true)

    await server.start()
    const other = makeLimit(10, 600_000)
    await waitFor(async () => {
      for (const { local } of nodes) local.verdicts = 0
      await Promise.all(nodes.map((node) => node.take(principal, [makeLimit(10, 60_000)])))
      return nodes.every(({ local }) => local.verdicts === 0)
    })
    expect(sum(await Promise.all(nodes.map((node) => takeOk(node, 20, other))))).toBe(10)
  })

  const kills = longCount(2, 20)

  test(`in ${kills} kills under a burst it never opens a window: no process passes more than the limit [F16] [T32]`, async () => {
    await using server = await startRedis()
    for (let kill = 0; kill < kills; kill++) {
      await using kv = createRedisKv({ url: server.url, prefix: 'p:', timeoutMs: 300 })
      const limiter = createLimiter({ kv })
      const limit = makeLimit(200, 600_000)
      await kv.ready()
      const first = takeOk(limiter, 300, limit)
      const killed = server.kill()
      const later = takeOk(limiter, 300, limit)
      await killed
      const last = takeOk(limiter, 300, limit)
      expect(sum(await Promise.all([first, later, last]))).toBeLessThanOrEqual(200)
      await server.start()
    }
  })

  test('frozen, it is waited for once [F16]', async () => {
    await using server = await startRedis()
    await using kv = createRedisKv({ url: server.url, prefix: 'p:', timeoutMs: 5_000 })
    const limiter = createLimiter({ kv, patienceMs: 300 })
    const limit = makeLimit(5, 600_000)
    expect(await takeOk(limiter, 2, limit)).toBe(2)
    await server.pause()
    expect(await takeOk(limiter, 20, limit)).toBe(3)
    const begun = performance.now()
    for (let call = 0; call < 100; call++) await limiter.take(principal, [limit])
    expect(performance.now() - begun).toBeLessThan(5_000)
    server.resume()
  })
})

async function takeOk(limiter: Limiter, calls: number, limit: ReturnType<typeof makeLimit>) {
  const takes = Array.from({ length: calls }, () => limiter.take(principal, [limit]))
  return (await Promise.all(takes)).filter(({ status }) => status === 'ok').length
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0)
}

/** The most calls that surely fell into one window: sent and answered in it. */
function mostWithin(calls: BurstAnswer, windowMs: number): number {
  const within = ([begin]: [number, number]) =>
    calls.filter(([sent, answered]) => sent >= begin && answered < begin + windowMs).length
  return Math.max(...calls.map(within))
}

function startWorkers(count: number, { url, prefix }: { url: string; prefix: string }) {
  const program = fileURLToPath(new URL('./test-limiter-process.ts', import.meta.url))
  const execArgv = ['--conditions=dataagent-source']
  const children: ChildProcess[] = Array.from({ length: count }, () =>
    fork(program, [url, prefix], { execArgv }),
  )
  const ready = Promise.all(children.map((child) => once(child, 'message')))
  return {
    async run(order: BurstOrder): Promise<BurstAnswer[]> {
      await ready
      const answers = children.map(async (child) => (await once(child, 'message'))[0])
      for (const child of children) child.send(order)
      return Promise.all(answers)
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')))
    },
  }
}
