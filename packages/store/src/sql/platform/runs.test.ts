import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { aRun } from '../test-builders.ts'
import type { RunEnd } from './runs.ts'

const page = { limit: 10, offset: 0 }
const day = 86_400_000

function anEnd(fields: Partial<RunEnd> = {}): RunEnd {
  return {
    ...{ status: 'done', ended_at: 2_000, error_code: null, model: 'house:small' },
    ...{ prompt_tokens: 10, completion_tokens: 5, cached_tokens: 2, cost_micros: 7 },
    ...fields,
  }
}

await describeSql('runs', (subject) => {
  test('a run waits, changes hands and is ended by one caller', async () => {
    const { store, open } = subject()
    const run = aRun()
    const { run_id } = run
    await store.runs.begin(run)
    await expect(store.runs.begin(run)).rejects.toMatchObject({ code: 'conflict' })
    await store.runs.update(run_id, { status: 'waiting' })
    await store.runs.update(run_id, { owner: 'p2' })
    await store.runs.update(run_id, {})
    const stores = [store, open()]
    const ended = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        stores[n % 2]!.runs.end(run_id, anEnd({ prompt_tokens: n })),
      ),
    )
    expect(ended.filter((isOne) => isOne)).toHaveLength(1)
    const prompt_tokens = ended.indexOf(true)
    await store.runs.update(run_id, { status: 'running', owner: 'p3' })
    expect(await store.runs.get('acme', run_id)).toEqual({
      ...{ ...run, owner: 'p2' },
      ...anEnd({ prompt_tokens }),
    })
    expect(await store.runs.get('other', run_id)).toBeUndefined()
    expect(await store.runs.end('nobody', anEnd())).toBe(false)
  })

  test('its process says that it is alive, and leaves it; nobody leaves what is another’s', async () => {
    const { runs } = subject().store
    const [own, ended, others] = [aRun({ owner: 'me' }), aRun({ owner: 'me' }), aRun()]
    for (const run of [own, ended, others]) await runs.begin(run)
    await runs.end(ended.run_id, anEnd())
    await runs.seen('me', 5)
    for (const { run_id } of [own, ended, others]) await runs.leave(run_id, 'me')
    const found = async ({ run_id }: { run_id: string }) => runs.get('acme', run_id)
    expect(await found(own)).toMatchObject({ owner: '', seen_at: 5 })
    expect(await found(ended)).toMatchObject({ owner: 'me', seen_at: 0 })
    expect(await found(others)).toMatchObject({ owner: 'p1', seen_at: 0 })
  })

  test('those that have not ended are given oldest first; a forgotten one is none', async () => {
    const { runs } = subject().store
    const tenant_id = randomUUID()
    const made = [30, 10, 20].map((started_at) => aRun({ tenant_id, started_at }))
    for (const run of made) await runs.begin(run)
    await runs.end(made[1]!.run_id, anEnd())
    const own = async () => (await runs.open(100)).filter((run) => run.tenant_id === tenant_id)
    expect(await own()).toEqual([made[2], made[0]])
    expect(await runs.open(100, tenant_id)).toEqual([made[2], made[0]])
    expect(await runs.open(1)).toHaveLength(1)
    await runs.forget(made[2]!.run_id)
    expect(await own()).toEqual([made[0]])
  })

  test('the last run of each session is given, whatever its state', async () => {
    const { runs } = subject().store
    const [a, b, none] = [randomUUID(), randomUUID(), randomUUID()]
    const made = [
      aRun({ session_id: a, started_at: 1 }),
      aRun({ session_id: a, started_at: 3 }),
      aRun({ session_id: b, started_at: 2 }),
      aRun({ session_id: a, started_at: 3 }),
    ]
    for (const run of made) await runs.begin(run)
    const latest = await runs.latestOf([a, b, none])
    expect(latest.map(({ session_id, started_at }) => [session_id, started_at]).sort()).toEqual(
      [
        [a, 3],
        [b, 2],
      ].sort(),
    )
    expect(await runs.latestOf([])).toEqual([])
  })

  test('one that has not ended is the last of its session, whatever the clocks say', async () => {
    const { runs } = subject().store
    const session_id = randomUUID()
    const [ended, early, late] = [300, 100, 200].map((started_at) =>
      aRun({ session_id, started_at }),
    )
    for (const run of [ended, early, late]) await runs.begin(run!)
    await runs.end(ended!.run_id, anEnd())
    expect(await runs.latestOf([session_id])).toEqual([late])
    await runs.end(late!.run_id, anEnd())
    expect(await runs.latestOf([session_id])).toEqual([early])
    await runs.end(early!.run_id, anEnd())
    expect(await runs.latestOf([session_id])).toMatchObject([{ run_id: ended!.run_id }])
  })

  test('lists newest first by tenant, user, session and state, and counts the same', async () => {
    const { runs } = subject().store
    const tenant_id = randomUUID()
    const made = [
      aRun({ tenant_id, started_at: 1 }),
      aRun({ tenant_id, started_at: 2, user_id: 'bo' }),
      aRun({ tenant_id, started_at: 3, status: 'waiting' }),
    ]
    for (const run of made) await runs.begin(run)
    const [first, second, third] = made
    const queries = [
      [{}, [third, second, first]],
      [{ user_id: 'ana' }, [third, first]],
      [{ session_id: second!.session_id }, [second]],
      [{ status: 'waiting' as const, user_id: 'ana' }, [third]],
    ] as const
    for (const [query, expected] of queries) {
      expect(await runs.list({ tenant_id, ...query, ...page })).toEqual(expected)
      expect(await runs.count({ tenant_id, ...query })).toBe(expected.length)
    }
    expect(await runs.list({ tenant_id, limit: 1, offset: 1 })).toEqual([second])
  })

  test('what was used is summed by day, minute, user, model and assistant', async () => {
    const { runs } = subject().store
    const tenant_id = randomUUID()
    const from = Date.UTC(2026, 10, 16)
    const use = async (fields: Parameters<typeof aRun>[0], end: Partial<RunEnd> = {}) => {
      const run = aRun({ tenant_id, started_at: from, ...fields })
      await runs.begin(run)
      await runs.end(run.run_id, anEnd(end))
    }
    await use({ started_at: from + day - 1 }, { cost_micros: 2 ** 40 })
    await use({ user_id: 'bo', assistant_id: 'sql' }, { status: 'error', model: null })
    await use({ started_at: from + day })
    await use({ started_at: from - 1 })
    await runs.begin(aRun({ tenant_id, started_at: from + 2 * day }))
    const range = { tenant_id, from, to: from + 2 * day }
    const one = { prompt_tokens: 10, completion_tokens: 5, cached_tokens: 2, cost_micros: 7 }
    const two = { prompt_tokens: 20, completion_tokens: 10, cached_tokens: 4 }
    expect(await runs.usage({ ...range, by: 'day' })).toEqual([
      { key: '2026-11-16', runs: 2, errors: 1, ...two, cost_micros: 2 ** 40 + 7 },
      { key: '2026-11-17', runs: 1, errors: 0, ...one },
    ])
    expect(await runs.usage({ ...range, by: 'user' })).toEqual([
      { key: 'ana', runs: 2, errors: 0, ...two, cost_micros: 2 ** 40 + 7 },
      { key: 'bo', runs: 1, errors: 1, ...one },
    ])
    const keys = async (by: 'minute' | 'model' | 'assistant') =>
      (await runs.usage({ ...range, by })).map(({ key }) => key)
    const minutes = ['2026-11-16T00:00Z', '2026-11-16T23:59Z', '2026-11-17T00:00Z']
    expect(await keys('minute')).toEqual(minutes)
    expect(await keys('model')).toEqual(['', 'house:small'])
    expect(await keys('assistant')).toEqual(['agent', 'sql'])
    expect(await runs.usage({ ...range, user_id: 'bo', by: 'day' })).toHaveLength(1)
  })

  test('those that ended long ago are deleted, some at a time; one that runs stays', async () => {
    const { runs } = subject().store
    const made = Array.from({ length: 4 }, () => aRun({ tenant_id: 'old' }))
    for (const run of made) await runs.begin(run)
    for (const [at, run] of made.slice(1).entries()) {
      await runs.end(run.run_id, anEnd({ ended_at: 10 + at }))
    }
    expect(await runs.deleteEnded(12, 1)).toBe(1)
    expect(await runs.deleteEnded(12, 10)).toBe(1)
    expect(await runs.deleteEnded(12, 10)).toBe(0)
    expect(await runs.count({ tenant_id: 'old' })).toBe(2)
  })
})
