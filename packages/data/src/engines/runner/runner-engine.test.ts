import { readdir, readFile } from 'node:fs/promises'
import { createFakeClock, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { openEngine } from '../open-engine.ts'
import { familyOf } from '../test-processes.ts'
import { createTestSource, openTestEngine, readAll } from '../test-sources.ts'
import { createRunnerBudget, type RunnerBudget } from './runner-budget.ts'

/** The runners that this process has, by what they were started from. */
async function runners(): Promise<number[]> {
  const family = await familyOf(process.pid)
  const lines = await Promise.all(
    family.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return family.filter((_, at) => /^[^\0]*node\0[\s\S]*runner-main/.test(lines[at]!))
}

const endless = {
  duckdb: 'SELECT count(*) FROM range(10000000) a, range(10000000) b',
  sqlite: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
} as const

describe.each(['duckdb', 'sqlite'] as const)('runners of %s', (kind) => {
  test('one that is killed is told as unavailable, and the next query runs', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, { most: 1 })
    await readAll(engine, 'SELECT 1')
    const [pid] = await runners()
    const asked = readAll(engine, endless[kind], { timeoutMs: 60_000 })
    asked.catch(() => {})
    process.kill(pid!, 'SIGKILL')
    await expect(asked).rejects.toMatchObject({ code: 'unavailable' })
    expect(await readAll(engine, 'SELECT count(*) FROM sales')).toEqual([[3]])
    expect(await runners()).not.toContain(pid)
  })

  test('one that died while nobody asked is replaced', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, { most: 1 })
    await readAll(engine, 'SELECT 1')
    const [pid] = await runners()
    process.kill(pid!, 'SIGKILL')
    await waitFor(async () => !(await runners()).includes(pid!))
    await expect
      .poll(() => readAll(engine, 'SELECT count(*) FROM sales').catch(String))
      .toEqual([[3]])
  })

  test('the same one is asked again, and let go when nobody has asked for a while', async () => {
    await using source = await createTestSource(kind)
    const clock = createFakeClock()
    await using engine = openTestEngine(source, { idleMs: 30_000, clock })
    await readAll(engine, 'SELECT 1')
    const first = await runners()
    await readAll(engine, 'SELECT 1')
    expect(await runners()).toEqual(first)
    expect(first).toHaveLength(1)
    clock.advance(30_001)
    await waitFor(async () => (await runners()).length === 0)
  })

  test('closing the engine ends them all, also those at work, and leaves no folder', async () => {
    await using source = await createTestSource(kind)
    await using root = await temporaryDirectory()
    const engine = openTestEngine(source, { most: 2, temporaryRoot: root.path })
    const asked = [1, 2].map(() => readAll(engine, endless[kind], { timeoutMs: 60_000 }))
    for (const one of asked) one.catch(() => {})
    await waitFor(async () => (await runners()).length === 2)
    expect(await readdir(root.path)).toHaveLength(2)
    await engine[Symbol.asyncDispose]()
    for (const one of asked) await expect(one).rejects.toMatchObject({ code: 'unavailable' })
    expect(await runners()).toEqual([])
    expect(await readdir(root.path)).toEqual([])
  })

  test('engines that share a budget make room for each other', async () => {
    await using one = await createTestSource(kind)
    await using two = await createTestSource(kind)
    const budget = createRunnerBudget({ most: 1 })
    await using first = openTestEngine(one, { budget })
    await using second = openTestEngine(two, { budget })
    expect(await readAll(first, 'SELECT count(*) FROM sales')).toEqual([[3]])
    expect(await readAll(second, 'SELECT count(*) FROM sales')).toEqual([[3]])
    expect(await readAll(first, 'SELECT count(*) FROM sales')).toEqual([[3]])
    expect(await runners()).toHaveLength(1)
  })

  test('one that falls idle while another engine waits makes room at once', async () => {
    await using one = await createTestSource(kind)
    await using two = await createTestSource(kind)
    const budget = createRunnerBudget({ most: 1 })
    const asks = Promise.withResolvers<void>()
    const watched: RunnerBudget = {
      ...budget,
      take: (signal) => {
        const turn = budget.take(signal)
        asks.resolve()
        return turn
      },
    }
    // Longer than the test may take.
    await using first = openTestEngine(one, { budget, idleMs: 600_000 })
    await using second = openTestEngine(two, { budget: watched })
    const { batches } = await first.query('SELECT count(*) FROM sales', { timeoutMs: 20_000 })
    const waits = readAll(second, 'SELECT count(*) FROM sales', { timeoutMs: 15_000 })
    waits.catch(() => {})
    await asks.promise
    expect((await Array.fromAsync(batches)).flat()).toEqual([[3]])
    expect(await waits).toEqual([[3]])
    expect(await runners()).toHaveLength(1)
  })

  test('a source that is not there is told without its path', async () => {
    await using engine = openEngine({ kind, path: '/nowhere/a' })
    const told = await readAll(engine, 'SELECT 1').catch((error) => error)
    expect(told).toMatchObject({ code: 'unavailable' })
    expect(told.message).not.toContain('nowhere')
  })
})
