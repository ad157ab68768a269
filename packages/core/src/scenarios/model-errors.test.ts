import { type Script, startFaultProxy, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { collect, of, person, startEngine, type TestEngine, textOf } from '../engine/test-engine.ts'
import type { ModelPort } from '../models/index.ts'
import { modelAt } from './test-model-at.ts'

const passing: [string, Script][] = [
  ['429', [{ error: 429 }]],
  ['500', [{ error: 500 }]],
  ['503', [{ error: 503 }]],
  ['a stream that is cut', [{ text: 'one two three four', cut: 2 }]],
  ['a stream that breaks', [{ text: 'one two three four', break: 2 }]],
  ['a stream that is cut before the first word', [{ text: 'one', cut: 0 }]],
]

test.each(passing)(
  'a model that answers with %s is a recoverable error, and can be tried again [D5.3] [D11.1] [D11.2] [D11.3] [F31]',
  async (_, script) => {
    await using engine = await startEngine({ script })
    await expectRecovers(engine, await engine.say('Hello'))
  },
)

test.each([
  ['401', 401, 'unauthenticated'],
  ['403', 403, 'forbidden'],
  ['400', 400, 'invalid_request'],
])(
  'a model that answers with %s ends the run and says so [D5.3] [D11.4]',
  async (_, error, code) => {
    await using engine = await startEngine({ script: [{ error }, { text: 'Still here.' }] })
    const events = await engine.say('Hello')
    expect(of(events, 'error')).toMatchObject([{ recoverable: false, error_code: code }])
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    expect(await resumed(engine)).toEqual([])
    expect(textOf(await engine.say('And now?'))).toBe('Still here.')
  },
)

test('a model that says nothing for too long is a recoverable error [D11.3]', async () => {
  await using engine = await startEngine({ script: [{ text: 'late', ttft: 60_000 }] })
  await using scene = modelAt(engine, engine.standIn.url, { idleMs: 100, totalMs: 60_000 })
  await expectRecovers(engine, await scene.say('Hello'))
})

test('garbage on the way from the model is a recoverable error [D11.3]', async () => {
  await using engine = await startEngine({ script: () => ({ text: 'Hello there.' }) })
  const fault = { kind: 'garbage', bytes: 64, direction: 'down' } as const
  await using proxy = await startFaultProxy({ target: engine.standIn.url, fault })
  await using scene = modelAt(engine, proxy.url)
  const events = await scene.say('Hello')
  expect(of(events, 'error')).toMatchObject([{ recoverable: true }])
  expect(events.at(-1)).toMatchObject({ event_type: 'done' })
})

test('a model that throws what is no AppError is told by a number alone [D11.1] [D11.4]', async () => {
  const reported: unknown[] = []
  const model: ModelPort = {
    ...{ name: 'x:broken', contextWindow: 1_000, callsTools: true },
    stream() {
      throw new TypeError('secret detail')
    },
  }
  await using engine = await startEngine({
    agent: { model },
    executor: { onError: (error) => reported.push(error) },
  })
  const events = await engine.say('Hello')
  expect(of(events, 'error')).toMatchObject([{ recoverable: false, error_code: 'internal' }])
  expect(JSON.stringify(events)).not.toContain('secret detail')
  expect(reported).toMatchObject([{ message: 'secret detail' }])
  expect(events.at(-1)).toMatchObject({ event_type: 'done' })
})

/** The run ended with a recoverable error; tried again it works, once. */
async function expectRecovers(engine: TestEngine, events: Events) {
  expect(of(events, 'error')).toMatchObject([{ recoverable: true, error: expect.any(String) }])
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  await waitFor(() => engine.standIn.active() === 0)
  engine.standIn.script([{ text: 'Here I am.' }, { text: 'Once more.' }])
  const again = await resumed(engine)
  expect(textOf(again)).toBe('Here I am.')
  expect(again.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  expect(engine.standIn.requests.at(-1)?.turns.map(({ text }) => text)).toEqual([
    ...['You help.', 'Hello'],
  ])
  expect(await resumed(engine)).toEqual([])
  expect(textOf(await engine.say('And now?'))).toBe('Once more.')
}

type Events = Awaited<ReturnType<TestEngine['say']>>

function resumed({ executor, session_id }: TestEngine) {
  return collect(executor.resume(session_id, { principal: person }))
}
