import { startHostileHttp, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startTestHttp } from '../upstreams/test-http.ts'
import { everything, startTestHub, toContext } from './test-hub.ts'
import { timeEach } from './test-latency.ts'
import { openTestStore } from './test-store.ts'

const settings = { defaultAllow: everything }
const names = Array.from({ length: 50 }, (_, index) => `server-${index}`)

test('50 servers of 20 tools are ready, with one that refuses and one that hangs [A6.1] [A6.2]', async () => {
  await using http = await startTestHttp({ tools: 20 })
  await using hanging = await startHostileHttp('half_open')
  await using store = await openTestStore()
  const first = await startTestHub({ ...store.options, settings })
  for (const name of names) await first.register({ name, url: http.url(name) })
  await first.register({ name: 'refusing', url: 'http://127.0.0.1:1/mcp' })
  await first.register({ name: 'hanging', url: hanging.url })
  await first[Symbol.asyncDispose]()

  const begun = performance.now()
  const since = () => `${Math.round(performance.now() - begun)} ms`
  await using test = await startTestHub({ ...store.options, settings })
  const { hub } = test
  const echo = { tool: 'server-49.echo', args: { message: 'hello' } }
  await waitFor(async () => (await hub.callTool(toContext(), echo)).status === 'ok')
  const called = since()
  const tools = () => hub.listTools(toContext()).filter(({ own }) => own === undefined)
  await waitFor(() => tools().length === 1_000, { timeoutMs: 30_000 })
  const readyMs = performance.now() - begun
  console.info(`50 × 20 tools: first call after ${called}, all after ${since()}`)
  expect(readyMs).toBeLessThan(7_500)

  const calls = names.map((name) =>
    hub.callTool(toContext(), { tool: `${name}.echo`, args: { message: name } }),
  )
  const outcomes = await Promise.all(calls)
  expect(outcomes.map((outcome) => 'result' in outcome && outcome.result?.text)).toEqual(names)
  const lists = await timeEach(100, async () => hub.listTools(toContext()))
  const callTimes = await timeEach(100, () => hub.callTool(toContext(), echo))
  console.info(`lists: ${lists.text}; calls: ${callTimes.text}`)
})
