import type {
  Comparison,
  Dataset,
  EvaluationReport,
  EvaluationRun,
  EvaluationRunsPage,
  TrialsPage,
} from '@dataagent/schema'
import { lastUserText, type RecordedRequest, toolRounds, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { aReport, aTrial } from '../testing/test-report.ts'

const datasets = '/evaluations/datasets'
const runs = '/evaluations/runs'
let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform({ script: answer })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Knows sums; what it is asked slowly never comes to an end. */
function answer(request: RecordedRequest) {
  const text = lastUserText(request)
  if (text.includes('slow')) return { text: 'x'.repeat(20_000), itl: 1_000 }
  if (text.includes('numbers') && toolRounds(request) === 0) {
    const args = { source: 'workspace', sql: text.replace(/^.*: /, '') }
    return { toolCalls: [{ name: 'run_sql', arguments: args }] }
  }
  if (text.includes('post it') && toolRounds(request) === 0) {
    const args = { method: 'POST', url: 'https://example.com' }
    return { toolCalls: [{ name: 'http_request', arguments: args }] }
  }
  return { text: text.includes('17') ? 'It is 42.' : 'I do not know.' }
}

const questions = [
  { question_id: 'sum', question: '17 + 25?', expected_keywords: ['42'], category: 'numbers' },
  { question_id: 'city', question: 'Which city?', expected_keywords: ['Rome'], tags: ['places'] },
]

async function makeDataset(all: object[] = questions, as: Person = 'ada'): Promise<Dataset> {
  const json = { name: 'Orders', questions: all }
  const { status, body } = await server.ask<Dataset>('POST', datasets, { as, json })
  expect(status).toBe(201)
  return body
}

async function startRun(settings: object, as: Person = 'ada'): Promise<string> {
  const { status, body } = await server.ask('POST', runs, { as, json: settings })
  expect({ status, body }).toMatchObject({ status: 201 })
  return String(body.run_id)
}

async function readRun(run_id: string, as: Person = 'ada'): Promise<EvaluationRun> {
  return (await server.ask<EvaluationRun>('GET', `${runs}/${run_id}`, { as })).body
}

function runEnded(run_id: string, as: Person = 'ada'): Promise<EvaluationRun> {
  return waitFor(
    async () => {
      const run = await readRun(run_id, as)
      return run.state === 'queued' || run.state === 'running' ? undefined : run
    },
    { timeoutMs: 30_000, what: 'the end of the evaluation' },
  )
}

describe('sets of questions', () => {
  test('are imported in any of the formats, and a fault is told with its place [D27.1]', async () => {
    const text = '{"question":"17 + 25?","expected_keywords":["42"]}\n{"question":"Why?"}\n'
    const json = { name: 'Lines', text }
    const made = await server.ask<Dataset>('POST', `${datasets}/import`, { json })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ name: 'Lines', question_count: 2, user_id: 'ada' })
    const bad = { text: '- question: Why?\n- question: 5\n' }
    const refused = await server.ask('POST', `${datasets}/import`, { json: bad })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body)).toMatch(/2/)
  })

  test('are exported as they can be imported again', async () => {
    const { dataset_id } = await makeDataset()
    const path = `${datasets}/${dataset_id}/export`
    const file = await server.ask('GET', path)
    expect(file.headers.get('content-disposition')).toContain(`${dataset_id}.json`)
    const json = { text: JSON.stringify(file.body) }
    const again = await server.ask<Dataset>('POST', `${datasets}/import`, { json })
    expect(again.body.name).toBe('Orders')
    expect(again.body.questions).toEqual((await makeDataset()).questions)
  })

  test('are not changed over what someone else has changed since', async () => {
    const { dataset_id, updated_at, questions: read } = await makeDataset()
    const json = { name: 'Renamed', questions: read, updated_at }
    const path = `${datasets}/${dataset_id}`
    expect((await server.ask('PUT', path, { as: 'boss', json })).status).toBe(200)
    const late = await server.ask('PUT', path, { json })
    expect(late).toMatchObject({ status: 409, body: { error_code: 'conflict' } })
  })

  test('have at least one question, and no id twice', async () => {
    const twice = [questions[0], questions[0]]
    for (const all of [[], twice]) {
      const json = { name: 'Bad', questions: all }
      expect((await server.ask('POST', datasets, { json })).status).toBe(400)
    }
  })
})

describe('runs of questions', () => {
  test('ask an agent and say what came of each question [D27.4] [D27.5]', async () => {
    const { dataset_id } = await makeDataset()
    const run_id = await startRun({ dataset_id, attempts: 2 })
    const run = await runEnded(run_id)
    expect(run).toMatchObject({
      ...{ state: 'done', planned: 4, question_count: 2, source: 'platform', error: null },
      counts: { total: 4, passed: 2, failed: 2, error: 0, timeout: 0 },
    })
    const states = run.questions.map(({ question_id, status, asked }) => [
      question_id,
      status,
      asked,
    ])
    expect(states).toEqual([
      ['sum', 'passed', 2],
      ['city', 'failed', 2],
    ])
    const { body } = await server.ask<TrialsPage>('GET', `${runs}/${run_id}/trials?status=failed`)
    expect(body.total).toBe(2)
    expect(body.trials[0]).toMatchObject({
      ...{ question_id: 'city', answer: 'I do not know.', failure: { kind: 'capability' } },
    })
    const report = await server.ask<EvaluationReport>('GET', `${runs}/${run_id}/report`)
    expect(report.body).toMatchObject({
      ...{ is_complete: true, failures: { capability: 2, infrastructure: 0 } },
      target: { transport: 'local', assistant_id: 'default' },
      pass_rate: { value: 0.5 },
    })
    expect(report.body.trials).toHaveLength(4)
    expect(report.body.times.first_event.count).toBe(4)
    const session_id = body.trials[0]?.session_id
    const session = await server.ask('GET', `/sessions/${session_id}`)
    expect(session.body.title).toMatch(/^Evaluation: Which city/)
  })

  test('are of the questions that have one of the tags or categories', async () => {
    const { dataset_id } = await makeDataset()
    const run = await runEnded(await startRun({ dataset_id, tags: ['places'] }))
    expect(run.questions.map(({ question_id }) => question_id)).toEqual(['city'])
    const none = { dataset_id, categories: ['none'] }
    expect((await server.ask('POST', runs, { json: none })).status).toBe(400)
  })

  test('report as a page and as JUnit, in the language asked for', async () => {
    const { dataset_id } = await makeDataset()
    const path = `${runs}/${(await runEnded(await startRun({ dataset_id }))).run_id}/report`
    const html = await server.ask<string>('GET', `${path}?format=html&lang=zh`)
    expect(html.headers.get('content-type')).toContain('text/html')
    expect(html.headers.get('content-security-policy')).toContain('sandbox')
    expect(html.body).toMatch(/通过/)
    const xml = await server.ask<string>('GET', `${path}?format=junit`)
    expect(xml.headers.get('content-type')).toContain('application/xml')
    expect(xml.body).toContain('<testsuite')
  })

  test('are compared with an earlier one, question by question', async () => {
    const { dataset_id } = await makeDataset()
    const baseline_run_id = (await runEnded(await startRun({ dataset_id }))).run_id
    const run = await runEnded(await startRun({ dataset_id, baseline_run_id }))
    const path = `${runs}/${run.run_id}/comparison`
    const { status, body } = await server.ask<Comparison>('GET', path)
    expect(status).toBe(200)
    expect(body.pass_rate).toMatchObject({ difference: 0, verdict: 'within_noise' })
    expect(body.questions.map(({ change }) => change)).toEqual(['same', 'same'])
    expect((await server.ask('GET', `${path}?baseline=none`)).status).toBe(404)
  })

  test('deny what would ask a person, and the message names the setting [D3.5]', async () => {
    const post = [
      { question_id: 'post', question: 'Please post it', expected_tools: ['http_request'] },
    ]
    const { dataset_id } = await makeDataset(post)
    const run = await runEnded(await startRun({ dataset_id }))
    expect(run.questions[0]?.status).toBe('failed')
    const { body } = await server.ask<TrialsPage>('GET', `${runs}/${run.run_id}/trials`)
    const [trial] = body.trials
    expect(trial?.tools).toMatchObject([{ name: 'http_request', status: 'error' }])
    const path = `/sessions/${trial?.session_id}/events?limit=100`
    const events = JSON.stringify((await server.ask('GET', path)).body)
    expect(events).toMatch(/nobody can be asked here.*(policy rule|setting)/)
  })

  test('compare the rows of expected queries, as whoever began them would ask', async () => {
    const numbers = (count: number) => `SELECT i FROM range(${count}) t(i)`
    const ask = (question_id: string, count: number, wanted: number) => {
      const question = `The numbers, please: ${numbers(count)}`
      return { question_id, question, expected_sql: numbers(wanted) }
    }
    const all = [ask('right', 60, 60), ask('wrong', 60, 61), ask('large', 1_001, 1_001)]
    const { dataset_id } = await makeDataset(all)
    const run = await runEnded(await startRun({ dataset_id, sql_source: 'Workspace' }))
    expect(run.settings?.sql_source).toBe('workspace')
    const { body } = await server.ask<TrialsPage>('GET', `${runs}/${run.run_id}/trials`)
    const ended = Object.fromEntries(
      body.trials.map(({ question_id, status, failure }) => [
        question_id,
        [status, failure?.kind, failure?.message],
      ]),
    )
    expect(ended).toEqual({
      right: ['passed', undefined, undefined],
      wrong: ['failed', 'capability', expect.stringContaining('the 61 expected rows')],
      large: ['error', 'infrastructure', expect.stringContaining('at most 1000')],
    })
    const unnamed = await runEnded(await startRun({ dataset_id }))
    expect(unnamed.questions.map(({ status }) => status)).toEqual(['error', 'error', 'error'])
    const json = { dataset_id, sql_source: 'absent' }
    expect((await server.ask('POST', runs, { json })).status).toBe(404)
  })

  test('stop within seconds, and keep what was answered', async () => {
    const slow = { question_id: 'slow', question: 'slow, please' }
    const { dataset_id } = await makeDataset([questions[0]!, slow])
    const run_id = await startRun({ dataset_id, concurrency: 2 })
    await waitFor(async () => (await readRun(run_id)).counts.total === 1)
    expect((await server.ask('GET', `${runs}/${run_id}/report`)).status).toBe(409)
    expect((await server.ask('DELETE', `${runs}/${run_id}`)).status).toBe(409)
    const before = performance.now()
    const cancelled = await server.ask('POST', `${runs}/${run_id}/cancel`)
    expect(performance.now() - before).toBeLessThan(10_000)
    expect(cancelled.body).toMatchObject({ state: 'cancelled', counts: { total: 1 } })
    const { body } = await server.ask<EvaluationReport>('GET', `${runs}/${run_id}/report`)
    expect(body).toMatchObject({ is_complete: false, counts: { total: 1, passed: 1 } })
    expect((await server.ask('DELETE', `${runs}/${run_id}`)).status).toBe(204)
    expect((await server.ask('GET', `${runs}/${run_id}`)).status).toBe(404)
  })

  test('are two at a time of one user', async () => {
    const { dataset_id } = await makeDataset([{ question_id: 'slow', question: 'slow' }], 'bob')
    const first = await startRun({ dataset_id }, 'bob')
    const second = await startRun({ dataset_id }, 'bob')
    const third = await server.ask('POST', runs, { as: 'bob', json: { dataset_id } })
    expect(third).toMatchObject({ status: 429, body: { error_code: 'quota_exceeded' } })
    for (const run_id of [first, second])
      await server.ask('POST', `${runs}/${run_id}/cancel`, { as: 'bob' })
    const listed = await server.ask<EvaluationRunsPage>('GET', runs, { as: 'bob' })
    expect(listed.body.total).toBe(2)
    const fourth = await startRun({ dataset_id }, 'bob')
    await server.ask('POST', `${runs}/${fourth}/cancel`, { as: 'bob' })
  })

  test('of others are seen by administrators and auditors of the tenant', async () => {
    const { dataset_id } = await makeDataset()
    const run_id = await startRun({ dataset_id })
    await runEnded(run_id, 'eve')
    const seenBy = async (as: Person, query = '?all=true') => {
      const { status, body } = await server.ask<EvaluationRunsPage>('GET', `${runs}${query}`, {
        as,
      })
      return status === 200 ? body.runs.some((run) => run.run_id === run_id) : status
    }
    expect(await seenBy('boss')).toBe(true)
    expect(await seenBy('eve')).toBe(true)
    expect(await seenBy('boss', '')).toBe(false)
    expect(await seenBy('bob')).toBe(403)
    expect(await seenBy('max')).toBe(false)
    const resumed = await server.ask('POST', `${runs}/${run_id}/resume`, { as: 'boss' })
    expect(resumed.status).toBe(403)
  })

  test('end when their user is disabled', async () => {
    const json = { user_id: 'leo', name: 'Leo', role: 'user' }
    await server.ask('POST', '/users', { as: 'boss', json })
    const key = await server.ask('POST', '/users/leo/api-keys', { as: 'boss', json: { name: 'k' } })
    const headers = { 'x-api-key': String(key.body.key) }
    const slow = Array.from({ length: 20 }, (_, at) => ({
      question_id: `q${at}`,
      question: 'slow',
    }))
    const { dataset_id } = await makeDataset(slow)
    const settings = { dataset_id, concurrency: 1 }
    const { body } = await server.ask('POST', runs, { as: null, headers, json: settings })
    const run_id = String(body.run_id)
    await waitFor(async () => (await readRun(run_id, 'boss')).state === 'running')
    await server.ask('PATCH', '/users/leo', { as: 'boss', json: { disabled: true } })
    const run = await runEnded(run_id, 'boss')
    expect(run).toMatchObject({ state: 'error', error: { code: 'unauthenticated' } })
  })
})

describe('reports of dataagent harbor', () => {
  test('are listed and compared with the runs of the platform', async () => {
    const failed = aTrial({ status: 'failed' })
    for (const report of [
      aReport({ run_id: 'cli-1', trials: [failed] }),
      aReport({ run_id: 'cli-2' }),
    ])
      expect((await server.ask('POST', `${runs}/upload`, { json: report })).status).toBe(201)
    expect(await readRun('cli-1')).toMatchObject({
      ...{ source: 'upload', state: 'done', settings: null, counts: { total: 1, failed: 1 } },
    })
    const path = `${runs}/cli-2/comparison?baseline=cli-1`
    const { body } = await server.ask<Comparison>('GET', path)
    expect(body.questions).toMatchObject([{ question_id: 'q1', change: 'fixed' }])
    const again = await server.ask('POST', `${runs}/upload`, { json: aReport({ run_id: 'cli-1' }) })
    expect(again.status).toBe(409)
  })

  test('of another kind are refused, naming the field', async () => {
    const { status, body } = await server.ask('POST', `${runs}/upload`, { json: { format: 2 } })
    expect(status).toBe(400)
    expect(JSON.stringify(body.details)).toContain('format')
  })

  const second = {
    second: 0,
    begun: 0,
    ended: 0,
    not_passed: 0,
    under_way: 0,
    p50_ms: 0,
    p99_ms: 0,
  }
  test.each<[string, Partial<EvaluationReport>]>([
    ['a name that would fill every list', { name: 'n'.repeat(1_001) }],
    ['a moment that is no date', { started_at: 9_000_000_000_000_000 }],
    ['a time that nothing can be computed of', { trials: [aTrial({ total_ms: 1e308 })] }],
    ['a timeline without an end', { timeline: Array.from({ length: 1_001 }, () => second) }],
    ['a trial that is none', { trials: [aTrial(), { ...aTrial(), attempt: 0 }] }],
  ])('with %s are refused, and nothing of them stays', async (_, fields) => {
    const json = aReport({ run_id: 'hostile', ...fields })
    expect((await server.ask('POST', `${runs}/upload`, { json })).status).toBe(400)
    expect((await server.ask('GET', `${runs}/hostile`)).status).toBe(404)
  })

  test('are kept whole and in their order, however many trials they have', async () => {
    const trials = Array.from({ length: 1_201 }, (_, at) => aTrial({ attempt: at + 1 }))
    const json = aReport({ run_id: 'long', trials })
    expect((await server.ask('POST', `${runs}/upload`, { json })).status).toBe(201)
    const { body } = await server.ask<EvaluationReport>('GET', `${runs}/long/report`)
    expect(body.trials.map(({ attempt }) => attempt)).toEqual(trials.map(({ attempt }) => attempt))
  })
})
