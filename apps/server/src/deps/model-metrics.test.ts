import { expect, test } from 'vitest'
import { createServerMetrics } from './http-metrics.ts'

const usage = { prompt_tokens: 100, completion_tokens: 20, cached_tokens: 60 }
const call = { model: 'openai:gpt', status: 'ok', seconds: 2, firstSeconds: 0.4, usage }

test('calls of models are counted by model and status, with their times and tokens', async () => {
  const metrics = createServerMetrics()
  metrics.modelCalled(call)
  metrics.modelCalled({
    ...call,
    status: 'rate_limited',
    firstSeconds: undefined,
    usage: undefined,
  })
  const text = await metrics.text()
  for (const line of [
    'dataagent_model_calls_total{model="openai:gpt",status="ok"} 1',
    'dataagent_model_calls_total{model="openai:gpt",status="rate_limited"} 1',
    'dataagent_model_call_duration_seconds_count{model="openai:gpt"} 2',
    'dataagent_model_first_chunk_seconds_count{model="openai:gpt"} 1',
    'dataagent_model_tokens_total{model="openai:gpt",type="input"} 100',
    'dataagent_model_tokens_total{model="openai:gpt",type="output"} 20',
    'dataagent_model_tokens_total{model="openai:gpt",type="cached"} 60',
  ])
    expect(text).toContain(line)
})

test('what a provider counts that is no count does no harm', async () => {
  const metrics = createServerMetrics()
  const odd = { prompt_tokens: -1, completion_tokens: Number.NaN, cached_tokens: 0.5 }
  metrics.modelCalled({ ...call, usage: odd })
  expect(await metrics.text()).toContain('tokens_total{model="openai:gpt",type="input"} 0')
})

test('models beyond a number are counted together', async () => {
  const metrics = createServerMetrics()
  for (let n = 0; n < 150; n += 1) metrics.modelCalled({ ...call, model: `made:up-${n}` })
  expect(await metrics.text()).toContain('calls_total{model="other",status="ok"} 50')
})

test('turns are counted by their end; one that never began to answer has no first event', async () => {
  const metrics = createServerMetrics()
  metrics.turnEnded({ status: 'done', seconds: 3, firstSeconds: 1 })
  metrics.turnEnded({ status: 'error', seconds: 1, firstSeconds: undefined })
  const text = await metrics.text()
  expect(text).toContain('dataagent_turns_total{status="done"} 1')
  expect(text).toContain('dataagent_turns_total{status="error"} 1')
  expect(text).toContain('dataagent_turn_duration_seconds_sum 4')
  expect(text).toContain('dataagent_turn_first_event_seconds_count 1')
})

test('of what it depends on, a server says whether it is there', async () => {
  const metrics = createServerMetrics()
  metrics.watchDependencies({
    states: () => [
      { name: 'database', status: 'ready', since: 1 },
      { name: 'kv', status: 'away', since: 1 },
    ],
  })
  const text = await metrics.text()
  expect(text).toContain('dataagent_dependency_up{dependency="database"} 1')
  expect(text).toContain('dataagent_dependency_up{dependency="kv"} 0')
})

test('sessions are those that are open now', async () => {
  const metrics = createServerMetrics()
  const [close] = [metrics.sessionOpened(), metrics.sessionOpened()]
  close()
  expect(await metrics.text()).toContain('dataagent_sessions_open 1')
})

test('a process tells its memory and its time', async () => {
  const text = await createServerMetrics().text()
  expect(text).toMatch(/process_cpu_seconds_total [\d.]+/)
  const [, rss] = /process_resident_memory_bytes (\d+)/.exec(text) ?? []
  expect(Number(rss)).toBeGreaterThan(10_000_000)
})
