import { describe, expect, test } from 'vitest'
import { describeSink } from '../sinks/describe-sink.ts'
import { aFailedTrial, aQuestion, aSet, aTrial, run, tell } from '../sinks/test-run.ts'
import type { TestService } from '../sinks/test-service.ts'
import { createLangSmith } from './create-lang-smith.ts'
import { langSmithKey, startLangSmith } from './test-lang-smith.ts'

const on = { LANGSMITH_API_KEY: langSmithKey, LANGSMITH_TRACING_V2: 'true' }

function toEnv(url: string, more: Record<string, string> = {}): Record<string, string> {
  return { ...on, LANGSMITH_ENDPOINT: url, ...more }
}

/** As servers say that do not know of examples in parts. */
const withoutExamples: TestService['fault'] = ({ path }) =>
  path === '/info' ? { status: 200, body: { version: '0.5.0' } } : undefined

describe('LangSmith', () => {
  test.each([
    ['nothing', {}],
    ['a key alone', { LANGSMITH_API_KEY: langSmithKey }],
    ['tracing alone', { LANGSMITH_TRACING_V2: 'true' }],
    ['an empty key', { ...on, LANGSMITH_API_KEY: ' ' }],
    ['tracing that is off', { ...on, LANGSMITH_TRACING_V2: 'false' }],
  ])('is off with %s, and then nothing is asked [D28.1]', async (_, env) => {
    await using service = await startLangSmith()
    const given = { LANGSMITH_ENDPOINT: service.url, ...env }
    expect(await tell(createLangSmith, { env: given })).toBeUndefined()
    expect(service.requests).toEqual([])
  })

  test.each(['LANGSMITH_TRACING_V2', 'LANGSMITH_TRACING'])(
    'is on by a key and %s [D28.1]',
    async (name) => {
      await using service = await startLangSmith()
      const env = {
        LANGSMITH_API_KEY: langSmithKey,
        LANGSMITH_ENDPOINT: service.url,
        [name]: 'true',
      }
      expect(await tell(createLangSmith, { env })).toMatchObject({ sent: 1, warnings: [] })
    },
  )

  test('each asking is a trace of its question, answer, times and tools [D28.2]', async () => {
    await using service = await startLangSmith()
    await tell(createLangSmith, { env: toEnv(service.url) }, { trials: [aTrial(), aFailedTrial] })
    expect(service.problems).toEqual([])
    const roots = service.runs.filter((one) => one.parent_run_id === undefined)
    const [example] = service.examples
    expect(roots).toEqual([
      expect.objectContaining({
        ...{ name: 'q1', run_type: 'chain', reference_example_id: example?.id },
        inputs: { question: 'How many orders?' },
        outputs: { answer: 'There are 42.' },
        start_time: '2030-03-17T17:46:40.000Z',
        end_time: '2030-03-17T17:46:42.000Z',
        tags: ['smoke', 'passed'],
      }),
      expect.objectContaining({ error: 'not_as_expected: No 42 in it', tags: ['smoke', 'failed'] }),
    ])
    const inside = service.runs.filter((one) => one.parent_run_id === roots[0]?.id)
    expect(inside.filter((one) => one.run_type === 'tool')).toEqual([
      expect.objectContaining({
        ...{ name: 'sql.query', run_type: 'tool', trace_id: roots[0]?.id },
        start_time: '2030-03-17T17:46:40.000Z',
        end_time: '2030-03-17T17:46:40.300Z',
      }),
    ])
  })

  test('a tool lies in its trace where it began, and not beyond its end', async () => {
    await using service = await startLangSmith()
    const tool = { name: 'sql.query', status: 'success', ms: 300 } as const
    const tools = [1_500, 1_200, 9_000].map((at_ms) => ({ ...tool, at_ms }))
    await tell(createLangSmith, { env: toEnv(service.url) }, { trials: [aTrial({ tools })] })
    const told = service.runs.filter((one) => one.run_type === 'tool')
    expect(told.map(({ start_time, end_time }) => [start_time, end_time])).toEqual([
      ['2030-03-17T17:46:41.500Z', '2030-03-17T17:46:41.800Z'],
      ['2030-03-17T17:46:41.200Z', '2030-03-17T17:46:41.500Z'],
      ['2030-03-17T17:46:42.000Z', '2030-03-17T17:46:42.000Z'],
    ])
  })

  test('what the model took is a part of the trace, with its tokens and cost', async () => {
    await using service = await startLangSmith()
    const trials = [aTrial({ model: 'openai:gpt-5' }), aTrial({ trial_id: 't2', model: null })]
    await tell(createLangSmith, { env: toEnv(service.url) }, { trials })
    expect(service.problems).toEqual([])
    expect(service.runs.filter((one) => one.run_type === 'llm')).toEqual([
      expect.objectContaining({
        ...{ name: 'openai:gpt-5', parent_run_id: service.runs[0]?.id },
        outputs: {
          answer: 'There are 42.',
          usage_metadata: {
            ...{ input_tokens: 100, output_tokens: 20, total_tokens: 120, total_cost: 0.01 },
            input_token_details: { cache_read: 40 },
          },
        },
        extra: {
          metadata: expect.objectContaining({ ls_provider: 'openai', ls_model_name: 'gpt-5' }),
        },
      }),
    ])
  })

  test('the questions are a dataset, which another run uses again [D28.3]', async () => {
    await using service = await startLangSmith()
    const env = toEnv(service.url)
    await tell(createLangSmith, { env })
    const [before] = structuredClone(service.examples)
    expect(before).toMatchObject({
      inputs: { question: 'How many orders?' },
      outputs: { expected_keywords: ['42'], expected_tools: ['sql.query'], expected_sql: null },
      metadata: { question_id: 'q1', category: 'orders', difficulty: 'easy', tags: ['smoke'] },
    })
    await tell(createLangSmith, { env })
    expect(service.examples).toEqual([before])
    const set = aSet([aQuestion({ expected_keywords: ['43'] }), aQuestion({ question_id: 'q2' })])
    await tell(createLangSmith, { env }, { set })
    expect(service.datasets).toHaveLength(1)
    expect(service.examples).toHaveLength(2)
    expect(service.examples[0]).toMatchObject({
      id: before?.id,
      outputs: { expected_keywords: ['43'] },
    })
    expect(service.problems).toEqual([])
  })

  test('results are feedback on each trace, and on the whole [D28.4]', async () => {
    await using service = await startLangSmith()
    await tell(createLangSmith, { env: toEnv(service.url) }, { trials: [aTrial(), aFailedTrial] })
    const [passed, failed] = service.runs.filter((one) => one.parent_run_id === undefined)
    const found = service.feedback.map(({ run_id, key, score, value, comment }) => {
      return [run_id, key, score ?? value, comment]
    })
    expect(found).toEqual([
      [passed?.id, 'passed', 1, undefined],
      [passed?.id, 'status', 'passed', undefined],
      [passed?.id, 'check_keywords', 1, undefined],
      [failed?.id, 'passed', 0, 'No 42 in it'],
      [failed?.id, 'status', 'failed', undefined],
      [failed?.id, 'check_keywords', 0, 'Missing: 42'],
      [null, 'pass_rate', 0.5, undefined],
    ])
    expect(new Set(service.feedback.map((one) => one.session_id)).size).toBe(1)
  })

  test('a trace has the question, its category and the response time as metadata [D28.5]', async () => {
    await using service = await startLangSmith()
    await tell(createLangSmith, { env: toEnv(service.url) })
    expect(service.runs[0]?.extra?.metadata).toMatchObject({
      ...{ question_id: 'q1', category: 'orders', difficulty: 'easy', status: 'passed' },
      ...{ response_time: 2.5, session_id: 's1', attempt: 1, run_id: run.run_id },
    })
  })

  test('a run is an experiment of its dataset, ended with its figures', async () => {
    await using service = await startLangSmith()
    const summary = await tell(createLangSmith, { env: toEnv(service.url) })
    expect(service.projects).toEqual([
      expect.objectContaining({
        ...{ name: 'shop run-1', reference_dataset_id: service.datasets[0]?.id },
        end_time: '2030-03-17T17:47:40.000Z',
        extra: { metadata: expect.objectContaining({ passed: 1, total: 1 }) },
      }),
    ])
    expect(summary?.place).toBe('shop run-1')
  })

  test('a project and a workspace that are named are used', async () => {
    await using service = await startLangSmith()
    const more = { LANGSMITH_PROJECT: 'mine', LANGSMITH_WORKSPACE_ID: 'w-7' }
    const summary = await tell(createLangSmith, { env: toEnv(service.url, more) })
    expect(summary?.place).toBe('mine')
    expect(service.projects.map(({ name, end_time }) => [name, end_time])).toEqual([
      ['mine', undefined],
    ])
    expect(service.runs.every((one) => one.session_name === 'mine')).toBe(true)
    const clients = service.requests.filter(({ path }) => path !== '/info')
    expect(new Set(clients.map(({ headers }) => headers['x-tenant-id']))).toEqual(new Set(['w-7']))
  })

  test('a trial that is told again is the same trace', async () => {
    await using service = await startLangSmith()
    const env = toEnv(service.url)
    await tell(createLangSmith, { env })
    await tell(createLangSmith, { env })
    expect(new Set(service.runs.map(({ id }) => id)).size).toBe(service.runs.length / 2)
  })

  test('a server that takes no examples is one warning that says what to do', async () => {
    await using service = await startLangSmith()
    service.fault = withoutExamples
    const env = toEnv(service.url)
    const summary = await tell(createLangSmith, { env }, { trials: [aTrial(), aFailedTrial] })
    expect(summary).toMatchObject({ sent: 0, failed: 2 })
    expect(summary?.warnings).toEqual([expect.stringMatching(/Update it, or .*LANGSMITH_ENDPOINT/)])
    expect(service.requests.filter(({ path }) => path === '/datasets')).toHaveLength(2)
  })

  test('where it has them already, nothing is amiss', async () => {
    await using service = await startLangSmith()
    const env = toEnv(service.url)
    await tell(createLangSmith, { env })
    service.fault = withoutExamples
    expect(await tell(createLangSmith, { env })).toMatchObject({ sent: 1, warnings: [] })
  })

  test('a hundred questions and trials arrive whole', async () => {
    await using service = await startLangSmith()
    const ids = Array.from({ length: 120 }, (_, at) => `q${at}`)
    const set = aSet(ids.map((question_id) => aQuestion({ question_id })))
    const trials = ids.map((id) => aTrial({ trial_id: `t-${id}`, question_id: id, tools: [] }))
    const summary = await tell(createLangSmith, { env: toEnv(service.url) }, { set, trials })
    expect(summary).toMatchObject({ sent: 120, failed: 0, warnings: [] })
    const roots = service.runs.filter((one) => one.parent_run_id === undefined)
    expect(new Set(roots.map((one) => one.reference_example_id)).size).toBe(120)
    expect(service.runs).toHaveLength(240)
  })
})

describeSink('LangSmith', {
  create: createLangSmith,
  start: (canary) => startLangSmith({ key: canary.apiKey }),
  toEnv: (url, canary) => toEnv(url, { LANGSMITH_API_KEY: canary.apiKey }),
})
