import { describe, expect, test } from 'vitest'
import { describeSink } from '../sinks/describe-sink.ts'
import { aFailedTrial, aQuestion, aSet, aTrial, tell } from '../sinks/test-run.ts'
import { createLangfuse } from './create-langfuse.ts'
import { startLangfuse } from './test-langfuse.ts'

const keys = { LANGFUSE_PUBLIC_KEY: 'pk-lf-1', LANGFUSE_SECRET_KEY: 'sk-lf-2' }

describe('Langfuse', () => {
  test.each([
    ['nothing', {}],
    ['one key alone', { LANGFUSE_SECRET_KEY: 'sk-lf-2' }],
    ['tracing that is off', { ...keys, LANGFUSE_TRACING_ENABLED: 'false' }],
  ])('is off with %s, and then nothing is asked', async (_, env) => {
    await using service = await startLangfuse()
    const given = { LANGFUSE_HOST: service.url, ...env }
    expect(await tell(createLangfuse, { env: given })).toBeUndefined()
    expect(service.requests).toEqual([])
  })

  test.each(['LANGFUSE_HOST', 'LANGFUSE_BASE_URL'])('is found at %s', async (name) => {
    await using service = await startLangfuse()
    const summary = await tell(createLangfuse, { env: { ...keys, [name]: `${service.url}/` } })
    expect(summary).toMatchObject({ sent: 1, place: 'shop run-1', warnings: [] })
  })

  test('each asking is a trace with its model and tools, tied to its question', async () => {
    await using service = await startLangfuse()
    await tell(createLangfuse, { env: { ...keys, LANGFUSE_HOST: service.url } })
    expect(service.problems).toEqual([])
    const [root, ...children] = service.spans
    expect(root).toMatchObject({ name: 'q1', parent: undefined, ms: 2_000 })
    expect(root?.attributes).toMatchObject({
      'langfuse.trace.name': 'q1',
      'langfuse.trace.tags': ['smoke', 'passed'],
      'langfuse.trace.input': '{"question":"How many orders?"}',
      'langfuse.trace.output': '{"answer":"There are 42."}',
      'langfuse.trace.metadata.question_id': 'q1',
      'langfuse.trace.metadata.category': 'orders',
      'langfuse.trace.metadata.response_time': '2.5',
      'langfuse.observation.type': 'agent',
      'langfuse.experiment.name': 'shop run-1',
      'langfuse.experiment.item.id': service.items[0]?.id,
      'langfuse.experiment.item.root_observation_id': root?.id,
      'session.id': 's1',
    })
    expect(
      children.map(({ name, parent, attributes }) => [name, parent === root?.id, attributes]),
    ).toMatchObject([
      [
        'gpt-5',
        true,
        {
          'langfuse.observation.type': 'generation',
          'langfuse.observation.usage_details':
            '{"input":60,"output":20,"cache_read_input_tokens":40}',
          'langfuse.observation.cost_details': '{"total":0.01}',
        },
      ],
      ['sql.query', true, { 'langfuse.observation.type': 'tool' }],
    ])
    expect(service.runItems).toEqual([
      expect.objectContaining({
        ...{ runName: 'shop run-1', datasetItemId: service.items[0]?.id },
        ...{ traceId: root?.trace, observationId: root?.id },
      }),
    ])
  })

  test('the questions are a dataset, of which another run changes what has changed', async () => {
    await using service = await startLangfuse()
    const env = { ...keys, LANGFUSE_HOST: service.url }
    const puts = () => service.requests.filter(({ path }) => path.endsWith('/dataset-items'))
    await tell(createLangfuse, { env })
    expect(service.items).toMatchObject([
      { input: { question: 'How many orders?' }, metadata: { question_id: 'q1' } },
    ])
    const before = puts().length
    await tell(createLangfuse, { env })
    expect(
      puts()
        .slice(before)
        .map(({ method }) => method),
    ).toEqual(['GET'])
    const set = aSet([aQuestion({ expected_keywords: ['43'] }), aQuestion({ question_id: 'q2' })])
    await tell(createLangfuse, { env }, { set })
    expect(service.items).toMatchObject([
      { expectedOutput: { expected_keywords: ['43'] } },
      { metadata: { question_id: 'q2' } },
    ])
    expect(service.datasets).toHaveLength(1)
  })

  test('results are scores on each trace, and on the whole', async () => {
    await using service = await startLangfuse()
    const env = { ...keys, LANGFUSE_HOST: service.url }
    await tell(createLangfuse, { env }, { trials: [aTrial(), aFailedTrial] })
    const found = service.scores.map(({ name, value, dataType, comment }) => {
      return [name, value, dataType, comment]
    })
    expect(found).toEqual([
      ['passed', 1, 'BOOLEAN', undefined],
      ['status', 'passed', 'CATEGORICAL', undefined],
      ['check_keywords', 1, 'BOOLEAN', undefined],
      ['passed', 0, 'BOOLEAN', 'No 42 in it'],
      ['status', 'failed', 'CATEGORICAL', undefined],
      ['check_keywords', 0, 'BOOLEAN', 'Missing: 42'],
      ['pass_rate', 0.5, 'NUMERIC', undefined],
    ])
  })

  test('pages of questions are read to the end', async () => {
    await using service = await startLangfuse()
    const env = { ...keys, LANGFUSE_HOST: service.url }
    const ids = Array.from({ length: 130 }, (_, at) => `q${at}`)
    const set = aSet(ids.map((question_id) => aQuestion({ question_id })))
    await tell(createLangfuse, { env }, { set, trials: [] })
    const asked = service.requests.length
    await tell(createLangfuse, { env }, { set, trials: [] })
    expect(service.items).toHaveLength(130)
    expect(service.requests.slice(asked).map(({ method }) => method)).toEqual([
      'POST',
      'GET',
      'GET',
    ])
  })
})

describeSink('Langfuse', {
  create: createLangfuse,
  start: ({ apiKey }) => startLangfuse({ publicKey: 'pk-lf-1', secretKey: apiKey }),
  toEnv: (url, { apiKey }) => ({ ...keys, LANGFUSE_HOST: url, LANGFUSE_SECRET_KEY: apiKey }),
})
