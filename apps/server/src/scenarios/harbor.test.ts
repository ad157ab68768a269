import { createClient } from '@dataagent/client'
import {
  type ClientAskerOptions,
  createClientAsker,
  type JobOptions,
  parseQuestions,
  runJob,
} from '@dataagent/harbor'
import type { ServerInfo, SessionsPage, Trial } from '@dataagent/schema'
import {
  type HostileHttp,
  lastUserText,
  type RecordedRequest,
  startHostileHttp,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyOf, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

const transports = ['rest', 'ws'] as const
type Transport = (typeof transports)[number]

const file = JSON.stringify([
  { question: 'Say hello', expected_keywords: ['You said', 'HELLO', 'hello'], category: 'chat' },
  { question: 'What is 6 times 7?', expected_pattern: '\\b42\\b', difficulty: 'easy' },
  { question: 'Break', category: 'chat', difficulty: 'hard' },
  { question: 'Wait', max_seconds: 0.7 },
  { question: 'Note', expected_tools: ['write_file'], expected_keywords: ['noted'] },
])
const set = parseQuestions(file, { name: 'first' })

const table = '{"columns":["n"],"rows":[[42]]}'

function answers(request: RecordedRequest) {
  const asked = lastUserText(request)
  const isFirst = toolRounds(request) === 0
  const call = (name: string, args: Record<string, unknown>) => ({
    toolCalls: [{ name, arguments: args }],
  })
  if (asked === 'What is 6 times 7?') return 'It is 41.'
  if (asked === 'Break') return { error: 400, message: 'This cannot be answered.' }
  if (asked === 'Wait') return { text: 'Late.', ttft: 120_000 }
  if (asked === 'Note' && isFirst)
    return call('write_file', { path: 'files/note.txt', content: 'A note.' })
  if (asked === 'Note') return 'It is noted.'
  if (asked === 'Ask' && isFirst) return call('shop--echo', { message: 'May I?' })
  if (asked === 'Ask') return 'It was said, or not.'
  if (asked === 'Query' && isFirst) return call('mall--echo', { message: table })
  if (asked === 'Query') return 'There are 42.'
  return `You said: ${asked}`
}

let server: TestPlatform
let mall: HostileHttp
beforeAll(async () => {
  server = await startTestPlatform({ script: answers })
  mall = await startHostileHttp('none')
  await addServer('mall', 'allow')
  await addServer('shop', 'ask')
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await mall[Symbol.asyncDispose]()
})

async function addServer(name: string, echo: 'allow' | 'ask') {
  const json = { config: { name, url: mall.url, toolApproval: { echo } } }
  const { body } = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'boss', json })
  const { server_id } = body
  await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id })
}

const askerOf = (
  { url }: TestPlatform,
  transport: Transport,
  options: Partial<ClientAskerOptions> = {},
) =>
  createClientAsker({
    ...{ client: createClient({ baseUrl: url, apiKey: keyOf('ada') }), transport },
    ...{ approve: 'never', ...options },
  })

const closed = (concurrency: number) => ({
  ...{ mode: 'closed' as const, concurrency, ramp_seconds: 0, warm_up_seconds: 0 },
  duration_seconds: null,
})

/** Runs a set over one of the transports. */
async function run(
  transport: Transport,
  options: Partial<JobOptions & ClientAskerOptions & { platform: TestPlatform }> = {},
) {
  const { platform = server } = options
  await using asker = askerOf(platform, transport, options)
  return await runJob({
    ...{ run_id: 'run-1', set, asker, load: closed(3), attempts: 1, max_seconds: 30 },
    target: { url: platform.url, transport, assistant_id: null, server_version: null },
    ...options,
  })
}

/** Without what differs from one asking to the next. */
function toLasting({ trials }: { trials: readonly Trial[] }) {
  const lasting = trials.map((trial) => ({
    ...{ ...trial, trial_id: '', session_id: '', started_at: 0, late_ms: 0, total_ms: 0 },
    ...{
      first_event_ms: trial.first_event_ms === null,
      first_text_ms: trial.first_text_ms === null,
    },
    ...{ tool_ms: 0, tools: trial.tools.map(({ name, status }) => ({ name, status })) },
    failure: trial.failure && { kind: trial.failure.kind, code: trial.failure.code },
  }))
  return lasting.sort((a, b) => a.question_id.localeCompare(b.question_id))
}

describe.each(transports)('questions of a file, over %s', (transport) => {
  test('each passes, fails, breaks or takes too long, and the report says so [D27.1] [D27.4] [D27.5] [D27.6]', async () => {
    const report = await run(transport)
    const byQuestion = new Map(
      report.questions.map(({ question, question_id }) => [
        question,
        report.trials.find((trial) => trial.question_id === question_id),
      ]),
    )
    const statuses = [...byQuestion].map(([question, trial]) => [question, trial?.status])
    expect(Object.fromEntries(statuses)).toEqual({
      ...{ 'Say hello': 'passed', 'What is 6 times 7?': 'failed', Break: 'error' },
      ...{ Wait: 'timeout', Note: 'passed' },
    })
    expect(byQuestion.get('Say hello')).toMatchObject({
      ...{ matched_keywords: ['You said', 'HELLO', 'hello'], answer: 'You said: Say hello' },
      model: 'openai:standin',
    })
    expect(byQuestion.get('Note')?.tools).toMatchObject([{ name: 'write_file', status: 'success' }])
    const times = [...byQuestion.values()].map((trial) => Number(trial?.total_ms))
    expect(Math.min(...times)).toBeGreaterThan(0)
    expect(byQuestion.get('Wait')?.total_ms).toBeGreaterThanOrEqual(700)
    expect(report).toMatchObject({
      ...{ is_complete: true, target: { transport }, pass_rate: { value: 0.4 } },
      counts: { total: 5, passed: 2, failed: 1, error: 1, timeout: 1 },
      failures: { capability: 1, infrastructure: 2 },
    })
    expect(report.times.total.mean).toBeGreaterThan(0)
  })

  test('what timed out or was stopped is cancelled on the server, and no socket stays', async () => {
    const stop = new AbortController()
    const questions = parseQuestions('[{"question":"Wait"}]', { name: 'waiting' })
    const running = run(transport, { set: questions, attempts: 3, signal: stop.signal })
    await waitFor(() => server.model.active() === 3, { what: 'three turns under way' })
    stop.abort()
    expect(await running).toMatchObject({ is_complete: false, counts: { total: 0 } })
    await waitFor(() => server.platform.runs.running === 0, { what: 'no run' })
    await waitFor(() => server.model.active() === 0, { what: 'an idle model' })
    const metrics = () => server.ask<string>('GET', '/metrics', { as: 'operator' })
    const none = /dataagent_sockets_open\{[^}]*\} 0/
    await waitFor(async () => none.test((await metrics()).body), { what: 'no socket' })
  })

  test.each([
    ['never', 'failed', 'denied', 'error'],
    ['policy', 'passed', undefined, 'error'],
    ['auto', 'passed', undefined, 'success'],
  ] as const)(
    'a call that asks for leave, with approve %s',
    async (approve, status, code, call) => {
      const questions = parseQuestions('[{"question":"Ask"}]', { name: 'asking' })
      const { trials } = await run(transport, { set: questions, approve })
      expect(trials).toMatchObject([{ status, tools: [{ name: 'shop.echo', status: call }] }])
      expect(trials[0]?.failure?.code).toBe(code)
    },
  )

  test('rows of a tool are those that the expected query gives', async () => {
    const asked = [{ question: 'Query', expected_sql: 'SELECT sum(n) AS n FROM numbers' }]
    const questions = parseQuestions(JSON.stringify(asked), { name: 'rows' })
    const options = { set: questions, sqlSource: 'workspace' }
    await server.ask('PUT', '/files/content?path=numbers.csv', { body: 'n\n40\n2\n' })
    expect((await run(transport, options)).counts).toMatchObject({ passed: 1 })
    await server.ask('PUT', '/files/content?path=numbers.csv', { body: 'n\n40\n3\n' })
    expect((await run(transport, options)).counts).toMatchObject({ failed: 1 })
    const wrong = await run(transport, { ...options, sqlSource: 'absent' })
    expect(wrong.trials[0]?.failure).toMatchObject({ kind: 'infrastructure' })
  })

  test('a key that is wrong is an error with its code, for nobody could be asked', async () => {
    const client = createClient({ baseUrl: server.url, apiKey: 'wrong' })
    const report = await run(transport, { client })
    expect(report.counts).toMatchObject({ total: 5, error: 5 })
    expect(report.trials[0]?.failure).toMatchObject({
      ...{ kind: 'infrastructure', code: 'unauthenticated' },
    })
  })
})

test('both transports tell the same of the same turns [D27.6]', async () => {
  const [rest, ws] = await Promise.all(transports.map((transport) => run(transport)))
  expect(toLasting(ws!)).toEqual(toLasting(rest!))
})

test('sessions are named for people, and can be done without', async () => {
  const asked = [{ question: 'Is this kept?' }]
  const questions = parseQuestions(JSON.stringify(asked), { name: 'kept' })
  const found = async () =>
    (await server.ask<SessionsPage>('GET', '/sessions?q=Is%20this%20kept')).body.sessions
  await run('rest', { set: questions, keepSessions: false })
  expect(await found()).toEqual([])
  await run('ws', { set: questions })
  expect(await found()).toMatchObject([{ title: 'Harbor: Is this kept?' }])
})

describe('a model that takes its time, as its name says', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await startTestPlatform()
    const json = {
      ...{ assistant_id: 'slow', name: 'Slow', model: 'openai:standin-ttft120-itl10-len8' },
    }
    expect((await platform.ask('POST', '/agents', { as: 'boss', json })).status).toBe(201)
  })
  afterAll(() => platform[Symbol.asyncDispose]())

  test.each(transports)('three users are three at once, over %s [D27.3]', async (transport) => {
    const questions = parseQuestions('[{"question":"Tell me"}]', { name: 'slow' })
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, platform.model.active())
    }, 5)
    const options = { platform, set: questions, attempts: 9, assistant_id: 'slow' }
    const report = await run(transport, options)
    clearInterval(watch)
    expect(most).toBe(3)
    expect(report.counts).toMatchObject({ total: 9, passed: 9 })
    // Eight words, the first after 120 ms and each other 10 ms after the one before.
    expect(report.times.first_text.min).toBeGreaterThan(118)
    expect(report.times.total.min).toBeGreaterThan(185)
    expect(report.times.first_event.max).toBeLessThanOrEqual(report.times.total.max)
  })
})
