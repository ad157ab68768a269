import { randomUUID } from 'node:crypto'
import { type Question, questionSchema, type Trial } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'

const page = { limit: 10, offset: 0 }

function aQuestion(fields: Partial<Question> = {}): Question {
  return questionSchema.parse({ question_id: 'q1', question: '有多少订单？\0', ...fields })
}

function aDataset(fields: { tenant_id: string; name?: string; updated_at?: number }) {
  return {
    ...{ dataset_id: randomUUID(), name: 'Orders', user_id: 'ana', questions: [aQuestion()] },
    ...{ question_count: 1, created_at: 1, updated_at: 1, ...fields },
  }
}

function aRun(fields: { tenant_id: string; created_at?: number; user_id?: string }) {
  return {
    ...{ run_id: randomUUID(), user_id: 'ana', dataset_id: 'd1', name: 'Orders' },
    ...{ source: 'platform' as const, state: 'queued' as const, owner: 'p1', seen_at: 100 },
    settings: {
      ...{ assistant_id: 'default', concurrency: 4, attempts: 2, max_seconds: 0.5 },
      ...{ baseline_run_id: null, tags: [], categories: ['a'] },
    },
    ...{ question_count: 1, planned: 2, questions: [aQuestion()], report: null, error: null },
    ...{ created_at: 100, started_at: null, ended_at: null, ...fields },
  }
}

function aTrial(fields: Partial<Trial> = {}): Trial {
  return {
    ...{ trial_id: randomUUID(), question_id: 'q1', attempt: 1, status: 'passed', failure: null },
    ...{ checks: [], matched_keywords: [], answer: '42 \ud800', session_id: null, started_at: 1 },
    ...{ late_ms: 0, first_event_ms: 1.5, first_text_ms: null, tool_ms: 0, total_ms: 2.5 },
    ...{ tools: [], model: null, prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0 },
    ...{ cost: null, ...fields },
  }
}

await describeSql('sets of questions', (subject) => {
  test('are listed by name without their questions, and read whole', async () => {
    const { datasets } = subject().store.evaluations
    const tenant_id = randomUUID()
    const second = aDataset({ tenant_id, name: 'Orders' })
    const first = aDataset({ tenant_id, name: 'Customers' })
    for (const row of [second, first, aDataset({ tenant_id: randomUUID() })])
      await datasets.create(row, { max: 10 })
    const names = (await datasets.list({ tenant_id, ...page })).map(({ name }) => name)
    expect(names).toEqual(['Customers', 'Orders'])
    expect(await datasets.count(tenant_id)).toBe(2)
    expect(await datasets.get(tenant_id, first.dataset_id)).toEqual(first)
    expect(await datasets.get(randomUUID(), first.dataset_id)).toBeUndefined()
  })

  test('are changed by the one who read them last, and at most so many', async () => {
    const { datasets } = subject().store.evaluations
    const tenant_id = randomUUID()
    const row = aDataset({ tenant_id })
    await datasets.create(row, { max: 1 })
    const more = aDataset({ tenant_id })
    await expect(datasets.create(more, { max: 1 })).rejects.toThrow(/at most 1/)
    const renamed = { ...row, name: 'Others', updated_at: 5 }
    expect(await datasets.update(renamed, { before: 1 })).toBe(true)
    expect(await datasets.update({ ...row, updated_at: 6 }, { before: 1 })).toBe(false)
    expect(await datasets.get(tenant_id, row.dataset_id)).toEqual(renamed)
    expect(await datasets.delete(tenant_id, row.dataset_id)).toBe(true)
    expect(await datasets.delete(tenant_id, row.dataset_id)).toBe(false)
  })
})

await describeSql('runs of questions', (subject) => {
  test('are listed newest first by tenant and person', async () => {
    const { runs } = subject().store.evaluations
    const tenant_id = randomUUID()
    const older = aRun({ tenant_id })
    const newer = aRun({ tenant_id, created_at: 200, user_id: 'bo' })
    for (const run of [older, newer, aRun({ tenant_id: randomUUID() })]) await runs.create(run)
    const { questions: _, report: __, ...listed } = newer
    const found = await runs.list({ tenant_id, ...page })
    expect(found.map(({ run_id }) => run_id)).toEqual([newer.run_id, older.run_id])
    expect(found[0]).toEqual(listed)
    expect(await runs.list({ tenant_id, user_id: 'bo', ...page })).toEqual([listed])
    expect(await runs.count({ tenant_id, dataset_id: 'd1' })).toBe(2)
    expect(await runs.getWhole(tenant_id, older.run_id)).toEqual(older)
    await expect(runs.create(older)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('go on in one process until they end', async () => {
    const { runs } = subject().store.evaluations
    const run = aRun({ tenant_id: randomUUID() })
    await runs.create(run)
    const user = { tenant_id: run.tenant_id, user_id: 'ana' }
    await runs.begin(run, { owner: 'p1', now: 110 })
    expect(await runs.seen(run, { owner: 'p1', now: 120 })).toBe(true)
    expect(await runs.seen(run, { owner: 'p2', now: 130 })).toBe(false)
    expect(await runs.countOpen({ ...user, since: 120 })).toBe(1)
    expect(await runs.countOpen({ ...user, since: 121 })).toBe(0)
    const end = { state: 'done', ended_at: 140, error: null } as const
    expect(await runs.end(run, end)).toBe(true)
    expect(await runs.end(run, { ...end, state: 'cancelled' })).toBe(false)
    await runs.setReport(run, '{}')
    const whole = await runs.getWhole(run.tenant_id, run.run_id)
    const times = { started_at: 110, seen_at: 140, ended_at: 140 }
    expect(whole).toEqual({ ...run, ...times, state: 'done', owner: '', report: '{}' })
    expect(await runs.seen(run, { owner: 'p1', now: 150 })).toBe(false)
  })

  test('are taken over by one of several when their process has died', async () => {
    const { store, open } = subject()
    const { runs } = store.evaluations
    const run = aRun({ tenant_id: randomUUID() })
    await runs.create(run)
    expect(await runs.take(run, { owner: 'p2', now: 110, since: 100 })).toBe(false)
    const others = [store, open(), open()].map(({ evaluations }, index) =>
      evaluations.runs.take(run, { owner: `other-${index}`, now: 500, since: 400 }),
    )
    expect((await Promise.all(others)).filter(Boolean)).toHaveLength(1)
    await runs.end(run, { state: 'interrupted', ended_at: 600, error: null })
    expect(await runs.take(run, { owner: 'p3', now: 601, since: 0 })).toBe(true)
    expect(await runs.get(run.tenant_id, run.run_id)).toMatchObject({
      ...{ state: 'queued', owner: 'p3', ended_at: null, seen_at: 601 },
    })
  })

  test('have trials in order, which are counted, filtered and go with them', async () => {
    const { runs, trials } = subject().store.evaluations
    const run = aRun({ tenant_id: randomUUID() })
    const { tenant_id, run_id } = run
    await runs.create(run)
    const all = [aTrial(), aTrial({ status: 'failed', attempt: 2 }), aTrial({ question_id: 'q2' })]
    await trials.add(run, 0, all.slice(0, 1))
    await trials.add(run, 1, all.slice(1))
    await expect(trials.add(run, 1, [aTrial()])).rejects.toMatchObject({ code: 'conflict' })
    expect(await trials.list(run, page)).toEqual(all)
    expect(await trials.list(run, { ...page, status: 'failed' })).toEqual([all[1]])
    expect(await trials.list(run, { ...page, question_id: 'q2' })).toEqual([all[2]])
    expect(await trials.count(run, { status: 'passed' })).toBe(2)
    const { question_id, status } = all[1]!
    expect((await trials.outline(run))[1]).toEqual({ question_id, status })
    const counts = { total: 3, passed: 2, failed: 1, error: 0, timeout: 0 }
    expect((await trials.countsOf(tenant_id, [run_id])).get(run_id)).toEqual(counts)
    await runs.delete(run)
    expect(await trials.count(run, {})).toBe(0)
    expect(await runs.get(tenant_id, run_id)).toBeUndefined()
  })

  test('go when they are old', async () => {
    const { runs } = subject().store.evaluations
    const tenant_id = randomUUID()
    const old = { ...aRun({ tenant_id }), seen_at: 1 }
    const kept = aRun({ tenant_id })
    for (const run of [old, kept]) await runs.create(run)
    expect(await runs.deleteOld(50, 100)).toBeGreaterThan(0)
    expect((await runs.list({ tenant_id, ...page })).map(({ run_id }) => run_id)).toEqual([
      kept.run_id,
    ])
  })
})
