import type { Script } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createSummarisation } from '../middleware/index.ts'
import { createRunLeases } from '../session/index.ts'
import { collect, loadConversation, of, person, startEngine } from './test-engine.ts'

const long = 'word '.repeat(200)
const summarises: Script = ({ turns }) =>
  JSON.stringify(turns).includes('write the notes') ? { text: 'They spoke.' } : { text: long }

async function startTalk({ script = summarises, turns = 4 } = {}) {
  const engine = await startEngine({ script })
  const middleware = [createSummarisation({ model: engine.agent.model })]
  const leases = createRunLeases()
  const make = () => engine.createExecutor({ agent: { ...engine.agent, middleware }, leases })
  const executor = make()
  const { session_id } = engine
  const say = (words = long) => collect(executor.execute(words, session_id, { principal: person }))
  for (let turn = 0; turn < turns; turn += 1) await say()
  const compact = (by = executor) => collect(by.compact(session_id, { principal: person }))
  const load = () => loadConversation(engine.sql.events, session_id)
  const weigh = () => executor.weigh(session_id, { principal: person })
  return { engine, executor, make, leases, session_id, say, compact, load, weigh }
}

test('a session is shortened now, and the next turn reads the summary', async () => {
  const { engine, compact, load, say } = await startTalk()
  await using _ = engine
  const events = await compact()
  expect(events.map(({ event_type }) => event_type)).toEqual(['summary', 'usage', 'done'])
  const [{ tokens_before = 0, tokens_after = 0 } = {}] = of(events, 'summary')
  expect(tokens_after).toBeLessThan(tokens_before * 0.6)
  expect((await load()).openRun).toBeUndefined()
  await say('And now?')
  expect(JSON.stringify(engine.standIn.requests.at(-1))).toContain('They spoke.')
})

test('it also shortens what another process has said', async () => {
  const { engine, make, compact, say } = await startTalk()
  await using _ = engine
  const other = make()
  expect(of(await compact(other), 'summary')).toHaveLength(1)
  expect((await say('And now?')).at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
})

test('where little was said there is nothing to do, and nothing is logged', async () => {
  const { engine, compact, load } = await startTalk({ turns: 0 })
  await using _ = engine
  await engine.say('Hi')
  const { head } = await load()
  expect(await compact()).toEqual([])
  expect((await load()).head).toBe(head)
})

test('while a run is under way it is refused', async () => {
  const { engine, compact, leases, session_id } = await startTalk()
  await using _ = engine
  const lease = await leases.acquire(session_id)
  expect(await compact()).toMatchObject([{ event_type: 'error', seq: 0, details: { busy: true } }])
  await lease?.release()
})

test('where the model gives no summary the conversation is as it was', async () => {
  const { engine, compact, load } = await startTalk()
  await using _ = engine
  const before = (await load()).messages
  engine.standIn.script(() => ({ error: 400, message: 'no' }))
  const events = await compact()
  expect(events.map(({ event_type }) => event_type)).toEqual(['error', 'done'])
  expect(of(events, 'error')[0]).toMatchObject({
    ...{ error_code: 'upstream_failed', recoverable: false },
  })
  const after = await load()
  expect(after.messages).toEqual(before)
  expect(after.isRetryable).toBe(false)
})

test('a summary that is longer than what it stands for is not kept, but is paid for', async () => {
  const { engine, compact, load } = await startTalk()
  await using _ = engine
  const before = (await load()).messages
  engine.standIn.script(() => ({ text: long.repeat(20) }))
  expect((await compact()).map(({ event_type }) => event_type)).toEqual(['usage', 'done'])
  expect((await load()).messages).toEqual(before)
})

test('what the model would read is weighed by where it comes from', async () => {
  const { engine, compact, weigh } = await startTalk()
  await using _ = engine
  const before = await weigh()
  expect(before).toMatchObject({ model: 'openai:standin', messages: 8 })
  expect(before.system).toBeGreaterThan(0)
  expect(before.window).toBeGreaterThan(before.history)
  const [{ tokens_before, tokens_after } = {}] = of(await compact(), 'summary')
  expect(before.history).toBe(tokens_before)
  expect((await weigh()).history).toBe(tokens_after)
})

test('one that is cancelled changes nothing', async () => {
  const { engine, executor, load, session_id } = await startTalk()
  await using _ = engine
  const before = (await load()).messages
  const stop = new AbortController()
  engine.standIn.script(() => {
    stop.abort()
    return { text: 'They spoke.' }
  })
  const events = await collect(
    executor.compact(session_id, { principal: person, signal: stop.signal }),
  )
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
  expect(of(events, 'summary')).toEqual([])
  expect((await load()).messages).toEqual(before)
})

test('one whose process is lost has left nothing that another would go on with', async () => {
  const { engine, compact, leases, load, session_id } = await startTalk()
  await using _ = engine
  const { head } = await load()
  engine.standIn.script(() => {
    leases.abandon(session_id)
    return { text: 'They spoke.' }
  })
  expect(await compact()).toEqual([])
  expect(await load()).toMatchObject({ head, openRun: undefined })
})
