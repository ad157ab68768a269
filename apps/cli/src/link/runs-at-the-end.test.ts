import { type ModelStandIn, startModelStandIn, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Link } from './contract.ts'
import { openLocal } from './open-local.ts'
import { openTestPlace, type TestPlace } from './test-link.ts'

let model: ModelStandIn
let place: TestPlace
beforeAll(async () => {
  model = await startModelStandIn({ script: () => ({ text: 'Slowly. '.repeat(200), itl: 1_000 }) })
  place = await openTestPlace({
    ...{ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: model.apiKey },
    ...{ DATAAGENT_MODEL: 'openai:standin' },
  })
})
afterAll(async () => {
  for (const one of [place, model]) await one?.[Symbol.asyncDispose]()
})

/** A session whose run is under way, until `ended` at the latest. */
async function beginRun({ client }: Link, ended: AbortSignal): Promise<string> {
  const { session_id } = await client.sessions.create()
  const before = model.requests.length
  const socket = client.connect(session_id, { signal: ended })
  await socket.send('hello').accepted
  await waitFor(() => model.requests.length > before, { timeoutMs: 20_000, what: 'a run' })
  return session_id
}

async function endOf({ client }: Link, session_id: string) {
  const { events } = await client.sessions.events(session_id)
  return events.findLast(({ event_type }) => event_type === 'done')
}

test('a run ends with its terminal, in good order or by the next one', async () => {
  const over = new AbortController()
  onTestFinished(() => over.abort())
  const first = await openLocal(place.options)
  const ended = await beginRun(first, over.signal)
  await first[Symbol.asyncDispose]()
  const second = await openLocal(place.options)
  expect(await endOf(second, ended)).toMatchObject({ cancelled: true })
  const left = await beginRun(second, over.signal)
  process.kill(place.processes()[0]!, 'SIGKILL')
  await second.lost
  await using third = await openLocal(place.options)
  const asked = model.requests.length
  const end = await waitFor(() => endOf(third, left), { timeoutMs: 20_000, what: 'its end' })
  expect(end).toMatchObject({ cancelled: true })
  expect(model.requests.length).toBe(asked)
}, 60_000)
