import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createRedisScope, findService, longCount, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Kv } from './kv.ts'
import { createMemoryKv } from './memory-kv.ts'
import { createRedisKv } from './redis-kv.ts'
import { serveKv } from './serve-kv.ts'
import type { Tasks } from './test-worker.ts'

interface Stage extends AsyncDisposable {
  kv: Kv
  startWorker(): Worker
}

interface Worker {
  process: ChildProcess
  run<K extends keyof Tasks>(task: K, ...args: Parameters<Tasks[K]>): ReturnType<Tasks[K]>
}

const hasRedis = (await findService('redis')) !== undefined
const stages = [
  { name: 'served by the parent', open: openServed },
  ...(hasRedis ? [{ name: 'on Redis', open: openRedis }] : []),
]

describe.each(stages)('two worker processes $name', ({ open }) => {
  const stack = new AsyncDisposableStack()
  let stage: Stage
  let workers: Worker[]
  beforeAll(async () => {
    stage = stack.use(await open())
    workers = [stage.startWorker(), stage.startWorker()]
  })
  afterAll(() => stack.disposeAsync())

  test('counting as fast as they can never pass more than the limit in any window', async () => {
    const limit = { max: 40, windowMs: 500 }
    const [key, forMs] = [randomUUID(), longCount(1_600, 30_000)]
    // Both have started and are connected: neither burst is over before the other has begun.
    await Promise.all(workers.map((worker) => worker.run('tryGet')))
    const bursts = await Promise.all(
      workers.map((worker) => worker.run('burst', key, limit, forMs)),
    )
    const admitted = bursts.flat()
    expect(bursts.every((burst) => burst.length > 0)).toBe(true)
    expect(mostWithin(admitted, limit.windowMs)).toBeLessThanOrEqual(limit.max)
    expect(admitted.length).toBeGreaterThan(limit.max * Math.floor(forMs / limit.windowMs) * 0.5)
  })

  const codes = longCount(50, 1_000)

  test(`taking the same ${codes} codes: each is won once [T21]`, async () => {
    const keys = Array.from({ length: codes }, () => randomUUID())
    await Promise.all(keys.map((key) => stage.kv.set(key, 'code')))
    const won = await Promise.all(workers.map((worker) => worker.run('take', keys, 10)))
    expect(won.reduce((sum, wins) => sum + wins, 0)).toBe(keys.length)
  })

  test('the lease of a killed holder passes to another, with a higher fence', async () => {
    const name = randomUUID()
    const fences: number[] = []
    for (let kill = 0; kill < longCount(2, 100); kill++) {
      const holder = stage.startWorker()
      fences.push(Number(await holder.run('hold', name, 700)))
      const rival = { ttlMs: 700, owner: 'test' }
      expect(await stage.kv.acquireLease(name, rival)).toBeUndefined()
      holder.process.kill('SIGKILL')
      const lease = await waitFor(() => stage.kv.acquireLease(name, rival))
      fences.push(lease.fence)
      await lease.release()
    }
    expect(fences).toEqual([...new Set(fences)].toSorted((a, b) => a - b))
  })
})

describe('the parent of workers', () => {
  test('gives back the leases of a dead worker at once, and of one that closed', async () => {
    await using stage = await openServed()
    for (const end of [
      async (worker: Worker) => void worker.process.kill('SIGKILL'),
      (worker: Worker) => worker.run('close'),
    ]) {
      const worker = stage.startWorker()
      const name = randomUUID()
      await worker.run('hold', name, 600_000)
      await worker.run('listen', name)
      await end(worker)
      await waitFor(async () => (await stage.kv.leaseHolder(name)) === undefined)
    }
  })

  test('killed, leaves its worker with a typed error at once', async () => {
    const parent = fork(program('test-parent'), {
      ...forkOptions,
      stdio: ['ignore', 'pipe', 2, 'ipc'],
    })
    const lines = createInterface({ input: parent.stdout as Readable })[Symbol.asyncIterator]()
    expect(JSON.parse(String((await lines.next()).value))).toMatchObject({ code: 'ok' })
    parent.kill('SIGKILL')
    const { code, ms, state } = JSON.parse(String((await lines.next()).value))
    expect({ code, state }).toMatchObject({ code: 'store_unavailable', state: { status: 'away' } })
    expect(ms).toBeLessThan(2_500)
  })
})

/**
 * The most calls that surely fell into one window: sent after its begin and answered before its
 * end.
 */
function mostWithin(calls: [sent: number, answered: number][], windowMs: number): number {
  return Math.max(
    ...calls.map(
      ([begin]) =>
        calls.filter(([sent, answered]) => sent >= begin && answered < begin + windowMs).length,
    ),
  )
}

const forkOptions = { execArgv: ['--conditions=dataagent-source'] }

function program(name: string): string {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
}

function createStage(kv: Kv, args: string[], onWorker?: (worker: ChildProcess) => void): Stage {
  const children: ChildProcess[] = []
  return {
    kv,
    startWorker() {
      const child = fork(program('test-worker'), args, {
        ...forkOptions,
        stdio: ['ignore', 'ignore', 2, 'ipc'],
      })
      children.push(child)
      onWorker?.(child)
      return { process: child, run: (task, ...args) => ask(child, task, args) }
    },
    async [Symbol.asyncDispose]() {
      const alive = children.filter((child) => child.exitCode === null && child.signalCode === null)
      for (const child of alive) child.kill('SIGKILL')
      await Promise.all(alive.map((child) => once(child, 'exit')))
      await kv[Symbol.asyncDispose]()
    },
  }
}

let lastAsk = 0

function ask<K extends keyof Tasks>(
  child: ChildProcess,
  task: K,
  args: Parameters<Tasks[K]>,
): ReturnType<Tasks[K]> {
  const own = ++lastAsk
  const answer = new Promise((resolve) => {
    child.on('message', function onMessage({ answer, value }: { answer: number; value: unknown }) {
      if (answer !== own) return
      child.off('message', onMessage)
      resolve(value)
    })
  })
  child.send({ ask: own, task, args })
  return answer as ReturnType<Tasks[K]>
}

async function openServed(): Promise<Stage> {
  const kv = createMemoryKv()
  return createStage(kv, [], (worker) => serveKv({ kv, worker }))
}

async function openRedis(): Promise<Stage> {
  const scope = await createRedisScope()
  const kv = createRedisKv(scope)
  const stage = createStage(kv, [scope.url, scope.prefix])
  return {
    ...stage,
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]()
      await scope[Symbol.asyncDispose]()
    },
  }
}
