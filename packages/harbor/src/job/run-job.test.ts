import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { evaluationReportSchema, type Trial } from '@dataagent/schema'
import { createFakeClock, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { Journal, Progress } from '../contract.ts'
import { openJournal, openTranscripts } from '../journal/index.ts'
import {
  closedLoad,
  createTimedAsker,
  jobOf,
  outcome,
  rateLoad,
  testSet,
} from '../scenarios/test-asker.ts'
import { runJob } from './run-job.ts'

const soon = () => createTimedAsker({ tookMs: () => 1 })

test('each trial has its status, its time and the keywords that were found [D27.4]', async () => {
  const answers = ['It is 42.', 'It is 41.', 'never', 'broken']
  const asker = createTimedAsker({ tookMs: (n) => (answers[n] === 'never' ? 60_000 : 5) })
  const set = testSet(4)
  const { ask } = asker
  const report = await runJob(
    jobOf(
      {
        ...asker,
        async ask(question, options) {
          const number = Number(question.match(/\d/)?.[0]) - 1
          const told = await ask(question, options)
          const error = { code: 'unavailable', message: 'Come back later.' }
          if (answers[number] === 'broken') return { ...told, answer: '', error }
          return told.error ? told : { ...told, answer: `${answers[number]}` }
        },
      },
      { set, max_seconds: 0.2 },
    ),
  )
  expect(report.trials.map(({ status, failure }) => [status, failure?.kind])).toEqual([
    ...[
      ['passed', undefined],
      ['failed', 'capability'],
    ],
    ...[
      ['timeout', 'infrastructure'],
      ['error', 'infrastructure'],
    ],
  ])
  expect(report.trials.map((trial) => trial.matched_keywords)).toEqual([['42'], [], [], []])
  expect(Number(report.trials[2]?.total_ms) - Number(report.trials[2]?.late_ms)).toBeCloseTo(200)
  expect(report.trials[0]?.total_ms).toBeGreaterThan(3)
  expect(report.counts).toEqual({ total: 4, passed: 1, failed: 1, error: 1, timeout: 1 })
  expect(report.is_complete).toBe(true)
  expect(evaluationReportSchema.parse(report)).toEqual(report)
})

test('attempts go round: every question once, then every one once more', async () => {
  const asker = soon()
  const report = await runJob(jobOf(asker, { set: testSet(3), attempts: 2 }))
  expect(asker.asked.map((question) => question.match(/\d/)?.[0]).join('')).toBe('123123')
  expect(report.trials.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 2, 2, 2])
})

test('as many are under way as the load says [D27.3]', async () => {
  const asker = createTimedAsker({ tookMs: () => 20 })
  const load = { ...closedLoad, concurrency: 7 }
  const report = await runJob(jobOf(asker, { set: testSet(50), load }))
  expect(asker.most).toBe(7)
  expect(report.counts.total).toBe(50)
})

test('what is asked to warm up is in no figure', async () => {
  const clock = createFakeClock()
  const asker = createTimedAsker({ tookMs: (n) => (n < 10 ? 100 : 10), clock })
  const load = { ...closedLoad, warm_up_seconds: 1 }
  const running = runJob(jobOf(asker, { clock, set: testSet(5), attempts: 4, load }))
  await clock.advanceAsync(2_000)
  const report = await running
  expect(asker.asked).toHaveLength(30)
  expect(report.times.total).toMatchObject({ count: 20, max: 10 })
  expect(report.throughput).toBeCloseTo(100)
})

test('a warm-up may ask more often than the run does', async () => {
  const clock = createFakeClock()
  const asker = createTimedAsker({ tookMs: () => 100, clock })
  const load = { ...closedLoad, warm_up_seconds: 1 }
  const running = runJob(jobOf(asker, { clock, set: testSet(2), load }))
  await clock.advanceAsync(2_000)
  expect((await running).counts).toMatchObject({ total: 2, passed: 2 })
  expect(asker.asked).toHaveLength(12)
})

test('a listener that throws ends the run, and what is under way', async () => {
  const asker = createTimedAsker({ tookMs: (n) => (n === 0 ? 1 : 60_000) })
  const onTrial = () => {
    throw new Error('no more')
  }
  const load = { ...closedLoad, concurrency: 3 }
  const running = runJob(jobOf(asker, { set: testSet(10), load, onTrial }))
  await expect(running).rejects.toThrow('no more')
  await waitFor(() => asker.moments.filter(Boolean).length === 3, { what: 'all three to end' })
  expect(asker.asked).toHaveLength(3)
})

test('who waits for earlier ones longer than may be is not asked any more, and counts', async () => {
  const clock = createFakeClock()
  const asker = createTimedAsker({ tookMs: () => 1_000, clock })
  const load = { ...rateLoad, rate: 10, concurrency: 1, duration_seconds: 5 }
  const running = runJob(jobOf(asker, { clock, load, max_seconds: 3 }))
  await clock.advanceAsync(20_000)
  const { counts, times, trials, is_complete } = await running
  expect(is_complete).toBe(true)
  // One a second can be asked: after three of ten a second nobody is answered in time.
  expect(counts).toMatchObject({ total: 50, passed: 3, timeout: 47 })
  expect(asker.asked.length).toBeLessThan(10)
  const late = trials.filter(({ status }) => status === 'timeout')
  expect(Math.min(...late.map(({ total_ms }) => total_ms))).toBeGreaterThanOrEqual(3_000)
  expect(times.late.max).toBeGreaterThan(2_900)
})

test('stopped, it cancels what is under way and reports what there is', async () => {
  const stop = new AbortController()
  const asker = createTimedAsker({ tookMs: (n) => (n < 3 ? 1 : 60_000) })
  const phases = new Set<Progress['phase']>()
  const running = runJob(
    jobOf(asker, {
      ...{ set: testSet(10), load: { ...closedLoad, concurrency: 2 }, signal: stop.signal },
      onProgress: ({ phase }) => phases.add(phase),
    }),
  )
  await waitFor(() => asker.asked.length === 5)
  stop.abort()
  const report = await running
  expect(report).toMatchObject({ is_complete: false, counts: { total: 3, passed: 3 } })
  expect([...phases].at(-1)).toBe('stopping')
})

test('stopped before it began, it asks nothing', async () => {
  const asker = soon()
  const report = await runJob(jobOf(asker, { signal: AbortSignal.abort() }))
  expect(report).toMatchObject({ is_complete: false, counts: { total: 0 } })
  expect(asker.asked).toEqual([])
})

test('a run that was interrupted asks only what is left', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'run.jsonl')
  const set = testSet(6)
  const header = { run_id: 'run-1', set, load: closedLoad }
  const stop = new AbortController()
  {
    await using journal = await openJournal(file, header)
    const onTrial = ({ question_id }: Trial) => question_id === 'q4' && stop.abort()
    await runJob(jobOf(soon(), { set, attempts: 2, journal, onTrial, signal: stop.signal }))
  }
  await using journal = await openJournal(file, { ...header, run_id: 'run-2' })
  const asker = soon()
  const report = await runJob(jobOf(asker, { run_id: journal.run_id, set, attempts: 2, journal }))
  expect(asker.asked).toHaveLength(8)
  expect(report).toMatchObject({ run_id: 'run-1', is_complete: true, counts: { total: 12 } })
  const asked = report.trials.map(({ question_id, attempt }) => `${question_id} ${attempt}`)
  expect(new Set(asked).size).toBe(12)
})

/** Whom and how the runs of these tests ask, where a test says nothing else. */
const usual = {
  target: { url: 'http://a:8000', transport: 'rest', assistant_id: null, server_version: '1' },
  approve: 'never',
  max_seconds: 60,
} as const

/** Asks two questions in that way, into the journal of that file. */
async function askInto(file: string, way: Partial<Record<keyof typeof usual, unknown>> = {}) {
  const { approve, ...how } = { ...usual, ...way } as typeof usual
  const set = testSet(2)
  await using journal = await openJournal(file, { run_id: 'run-1', set, load: closedLoad })
  const asker = { ...soon(), approve }
  return await runJob(jobOf(asker, { set, journal, ...how }))
}

test.each([
  ['url http://a:8000/, not http://b:8000/', { target: { ...usual.target, url: 'http://b:8000' } }],
  ['transport rest, not ws', { target: { ...usual.target, transport: 'ws' } }],
  ['agent default, not ada', { target: { ...usual.target, assistant_id: 'ada' } }],
  ['approve never, not auto', { approve: 'auto' }],
  ['timeout 60, not 30; approve never, not policy', { max_seconds: 30, approve: 'policy' }],
])('a run is not gone on with in another way: %s', async (what, way) => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'run.jsonl')
  await askInto(file)
  const before = await readFile(file, 'utf8')
  await expect(askInto(file, way)).rejects.toMatchObject({
    ...{ code: 'conflict', message: expect.stringContaining(`otherwise (${what}):`) },
    data: { run_id: 'run-1', name: 'test' },
  })
  expect(await readFile(file, 'utf8')).toBe(before)
})

test.each([
  ['by a server of another version', { target: { ...usual.target, server_version: '2' } }],
  ['at the same address in capitals', { target: { ...usual.target, url: 'HTTP://A:8000/' } }],
])('a run is gone on with %s', async (_, way) => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'run.jsonl')
  await askInto(file)
  expect(await askInto(file, way)).toMatchObject({ is_complete: true, counts: { total: 2 } })
})

test('a platform of this process listens elsewhere each time, and is still the same', async () => {
  await using directory = await temporaryDirectory()
  const at = (port: number) => ({ target: { ...usual.target, url: `http://127.0.0.1:${port}` } })
  const own = join(directory.path, 'own.jsonl')
  await askInto(own, at(40_001))
  expect(await askInto(own, at(51_234))).toMatchObject({ counts: { total: 2 } })
  const named = join(directory.path, 'named.jsonl')
  await askInto(named, at(8_000))
  await expect(askInto(named, at(8_001))).rejects.toThrow('url http://127.0.0.1:8000/, not http')
})

test('a journal that does not say how was asked goes on, and says it from then on', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'run.jsonl')
  await askInto(file)
  const lines = (await readFile(file, 'utf8')).split('\n')
  await writeFile(file, lines.filter((line) => !line.includes('"way"')).join('\n'))
  expect(await askInto(file, { approve: 'auto' })).toMatchObject({ counts: { total: 2 } })
  await expect(askInto(file)).rejects.toThrow('approve auto, not never')
})

test('a journal that cannot be written ends the run with its error', async () => {
  const journal: Journal = {
    ...{ trials: [], earlier_seconds: 0 },
    add: () => Promise.reject(new Error('no space')),
  }
  const asker = createTimedAsker({ tookMs: () => 20 })
  const running = runJob(jobOf(asker, { set: testSet(1_000), journal }))
  await expect(running).rejects.toThrow('no space')
  expect(asker.asked.length).toBeLessThan(10)
})

test('what happened in each turn is kept beside the report', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'transcripts.jsonl')
  const events = [{ ms: 1, event_type: 'text', text: 'It is 42.' }]
  const asker = { ...soon(), ask: async () => outcome({ answer: 'It is 42.', events }) }
  {
    await using transcripts = await openTranscripts(file)
    await runJob(jobOf(asker, { transcripts }))
  }
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    ...{
      question_id: 'q1',
      question: 'Question 1?',
      status: 'passed',
      answer: 'It is 42.',
      events,
    },
  })
})

test('how it stands is told a few times a second, and at its end', async () => {
  const told: Progress[] = []
  const asker = createTimedAsker({ tookMs: () => 10 })
  const begun = performance.now()
  await runJob(jobOf(asker, { set: testSet(60), onProgress: (progress) => told.push(progress) }))
  const seconds = (performance.now() - begun) / 1_000
  expect(told.length).toBeGreaterThan(1)
  expect(told.length).toBeLessThanOrEqual(Math.ceil(seconds * 5) + 1)
  expect(told.at(-1)).toMatchObject({ phase: 'running', total: 60, under_way: 0 })
  expect(told.at(-1)?.counts).toMatchObject({ total: 60, passed: 60 })
  expect(told.at(-1)?.recent).toHaveLength(5)
  expect(told.at(-1)?.p50_ms).toBeGreaterThan(8)
})

test('what is read before anything is asked is told, and is no part of what is timed', async () => {
  const clock = createFakeClock()
  const told: Progress[] = []
  const reading = Promise.withResolvers<void>()
  const first = Promise.withResolvers<void>()
  const asker = {
    ...createTimedAsker({ tookMs: () => 10, clock }),
    async runSql() {
      await reading.promise
      return { columns: ['n'], rows: [[42]] }
    },
  }
  const [question] = testSet(1).questions
  const set = { name: 'test', questions: [{ ...question!, expected_sql: 'SELECT 42' }] }
  function onProgress(progress: Progress): void {
    told.push(progress)
    first.resolve()
  }
  const running = runJob(jobOf(asker, { set, clock, onProgress }))
  await first.promise
  await clock.advanceAsync(60_000)
  reading.resolve()
  await waitFor(() => asker.asked.length === 1)
  await clock.advanceAsync(10)
  await running
  expect(told[0]).toMatchObject({ phase: 'reading', total: 1, under_way: 0, counts: { total: 0 } })
  expect(told.at(-1)).toMatchObject({ phase: 'running', elapsed_ms: 10, counts: { total: 1 } })
})

test('the timeline tells of each second what began and what ended in it', async () => {
  const clock = createFakeClock()
  const asker = createTimedAsker({ tookMs: () => 1_500, clock })
  const load = { ...rateLoad, rate: 2, duration_seconds: 3 }
  const running = runJob(jobOf(asker, { clock, load }))
  await clock.advanceAsync(6_000)
  const { timeline } = await running
  const rows = timeline.map((row) => [row.second, row.begun, row.ended, row.under_way, row.p50_ms])
  expect(rows).toEqual([
    ...[
      [0, 2, 0, 2, 0],
      [1, 2, 1, 3, 1_500],
      [2, 2, 2, 3, 1_500],
    ],
    ...[
      [3, 0, 2, 1, 1_500],
      [4, 0, 1, 0, 1_500],
    ],
  ])
})

test('an expected query is run once, before anything is asked', async () => {
  const set = testSet(2)
  const [first] = set.questions
  const questions = [{ ...first!, expected_keywords: [], expected_sql: 'SELECT 42' }]
  const order: string[] = []
  const table = { columns: ['n'], rows: [[42]] }
  const asker = {
    ...soon(),
    ask: async () => {
      order.push('ask')
      return outcome({ answer: 'It is 42.', tables: [table] })
    },
    runSql: async (sql: string) => {
      order.push(sql)
      return table
    },
  }
  const report = await runJob(jobOf(asker, { set: { ...set, questions }, attempts: 3 }))
  expect(order).toEqual(['SELECT 42', 'ask', 'ask', 'ask'])
  expect(report.counts).toMatchObject({ passed: 3 })
  const broken = { ...asker, runSql: () => Promise.reject(new Error('no such table')) }
  const unknown = await runJob(jobOf(broken, { set: { ...set, questions } }))
  expect(unknown.trials[0]).toMatchObject({
    status: 'error',
    failure: {
      ...{ kind: 'infrastructure', code: 'expected_sql_failed' },
      message: 'the expected query failed: no such table',
    },
  })
  const { runSql: _, ...without } = asker
  const unnamed = await runJob(jobOf(without, { set: { ...set, questions } }))
  expect(unnamed.trials[0]?.failure?.message).toContain('no source of data')
})

describe('an answer whose rows were shown in part', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => [at])
  const long = 'x'.repeat(2_500)
  const cut = `${long.slice(0, 2_000)}…`

  /** The only trial of a question that expects `wanted`, and what was read for it. */
  async function judge(
    wanted: unknown[][],
    shown: { rows: unknown[][]; kept_rows: number },
    whole: () => Promise<unknown[][]>,
  ) {
    const read: string[] = []
    const { rows, kept_rows } = shown
    const table = { columns: ['n'], rows, kept: { query_id: 'q-1', kept_rows } }
    const asker = {
      ...soon(),
      ask: async () => outcome({ answer: 'See the rows.', tables: [table] }),
      runSql: async () => ({ columns: ['n'], rows: wanted }),
      readRows: async ({ query_id }: { query_id: string }) => {
        read.push(query_id)
        return whole()
      },
    }
    const [first] = testSet(1).questions
    const questions = [{ ...first!, expected_keywords: [], expected_sql: 'SELECT n' }]
    const { trials } = await runJob(jobOf(asker, { set: { name: 'rows', questions } }))
    return { trial: trials[0], read }
  }

  test.each([
    ['more rows than are shown', numbers(60), { rows: numbers(50), kept_rows: 60 }],
    ['a text that was cut', [[long]], { rows: [[cut]], kept_rows: 1 }],
  ])('is judged by all of them: %s', async (_, wanted, shown) => {
    const right = await judge(wanted, shown, async () => wanted)
    expect(right).toMatchObject({ trial: { status: 'passed' }, read: ['q-1'] })
    const wrong = await judge(wanted, shown, async () => wanted.map(() => ['other']))
    expect(wrong.trial).toMatchObject({ status: 'failed', failure: { code: 'wrong_answer' } })
  })

  test('is not read where it cannot be right, or is whole', async () => {
    const other = await judge(numbers(60), { rows: numbers(50), kept_rows: 61 }, async () => [])
    expect(other).toMatchObject({ trial: { status: 'failed' }, read: [] })
    const whole = await judge(numbers(3), { rows: numbers(3), kept_rows: 3 }, async () => [])
    expect(whole).toMatchObject({ trial: { status: 'passed' }, read: [] })
  })

  test('is no failure of the agent where its rows cannot be read', async () => {
    const shown = { rows: numbers(50), kept_rows: 60 }
    const gone = () => Promise.reject(new Error('They are gone.'))
    const { trial } = await judge(numbers(60), shown, gone)
    expect(trial).toMatchObject({
      ...{ status: 'error', failure: { kind: 'infrastructure' } },
      checks: [{ name: 'sql', passed: false, message: expect.stringContaining('are gone') }],
    })
  })
})

test('a set without questions has a report without trials', async () => {
  const load = { ...closedLoad, duration_seconds: 60 }
  for (const given of [closedLoad, load])
    expect(await runJob(jobOf(soon(), { set: testSet(0), load: given }))).toMatchObject({
      counts: { total: 0 },
    })
})
