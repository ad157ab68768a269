import { fork } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { AppError, isKnownEvent, parseEventText, toDict } from '@dataagent/schema'
import type { Script } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { type AgentMiddleware, createSummarisation } from '../middleware/index.ts'
import type { RunEvent } from './run-log.ts'
import { collect, countingTool, of, person, startEngine, textOf } from './test-engine.ts'

const kinds = (events: readonly { event_type: string }[]) => events.map((e) => e.event_type)

test('a turn is the user message, the text as it comes and done [D2.2] [D5.1] [D5.2] [D5.4]', async () => {
  await using engine = await startEngine({ script: [{ text: 'Hello there, Ada.' }] })
  const events = await engine.say('Hi')
  expect(events[0]).toMatchObject({ event_type: 'user_message', content: 'Hi' })
  expect(textOf(events)).toBe('Hello there, Ada.')
  expect(of(events, 'text').at(-1)).toMatchObject({ is_final: true })
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  expect(of(events, 'usage')[0]).toMatchObject({ model: 'openai:standin' })
})

test('calls run tools and their results go back to the model [B4.1] [B6.2] [D2.3] [D2.4] [D8.5]', async () => {
  const tool = countingTool('count')
  await using engine = await startEngine({
    tools: [tool],
    script: [
      { toolCalls: [{ name: 'count', arguments: { value: 'a' } }] },
      { text: 'It is done.' },
    ],
  })
  const events = await engine.say('Count')
  expect(tool.runs).toEqual([{ value: 'a' }])
  expect(kinds(events).filter((kind, i, all) => kind !== all[i - 1])).toEqual([
    ...['user_message', 'tool_call', 'tool_started', 'tool_result', 'text', 'usage', 'done'],
  ])
  const [called] = of(events, 'tool_call')
  expect(called).toMatchObject({ tool_name: 'count', tool_args: { value: 'a' } })
  expect(of(events, 'tool_result')).toMatchObject([
    { tool_call_id: called?.tool_call_id, result: 'count done', status: 'success' },
  ])
  expect(textOf(events)).toBe('It is done.')
  const [, second] = engine.standIn.requests
  expect(second?.turns.at(-1)?.toolResults).toEqual([
    { id: expect.any(String), text: 'count done' },
  ])
})

test('every event of a run has the time it came, and is rebuilt from its JSON [D2.1] [D2.5] [D2.6]', async () => {
  const tools = [countingTool('count'), countingTool('send', { approval: 'ask' })]
  const calls = tools.map(({ name }) => ({ name, arguments: {} }))
  await using engine = await startEngine({ tools, script: [{ toolCalls: calls }, 'Done.'] })
  const before = Date.now()
  const handler = { requestApproval: async () => ({ type: 'approve', message: '' }) as const }
  const events = await engine.say('Go', { approvals: { kind: 'handler', handler } })
  const seen = new Set(kinds(events))
  for (const kind of ['text', 'tool_call', 'tool_result', 'hitl_request', 'usage', 'done'] as const)
    expect(seen).toContain(kind)
  for (const event of events) {
    expect(event.timestamp).toBeGreaterThanOrEqual(before)
    expect(event.timestamp).toBeLessThanOrEqual(Date.now())
    const rebuilt = parseEventText(JSON.stringify(toDict(event)))
    expect(isKnownEvent(rebuilt)).toBe(true)
    expect(rebuilt).toEqual(event)
  }
})

test('the log holds what was sent, and the next turn reads it', async () => {
  await using engine = await startEngine({ script: [{ text: 'One.' }, { text: 'Two.' }] })
  const sent = await engine.say('First')
  await engine.say('Second')
  const rows = await engine.sql.events.read(engine.session_id, { after: 0, limit: 100 })
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, i) => i + 1))
  expect(new Set(sent.map(({ seq }) => seq))).toEqual(
    new Set(rows.filter(({ json }) => json.includes(sent[0]!.run_id!)).map(({ seq }) => seq)),
  )
  expect(engine.standIn.requests[1]?.turns.map(({ text }) => text)).toEqual([
    ...['You help.', 'First', 'One.', 'Second'],
  ])
})

test('another process goes on with the same session', async () => {
  await using engine = await startEngine({
    script: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }],
  })
  await engine.say('First')
  const other = engine.createExecutor()
  await collect(other.execute('Second', engine.session_id, { principal: person }))
  const events = await engine.say('Third')
  expect(textOf(events)).toBe('Three.')
  expect(engine.standIn.requests[2]?.turns.map(({ text }) => text)).toEqual([
    ...['You help.', 'First', 'One.', 'Second', 'Two.', 'Third'],
  ])
})

test('a prompt that the model refuses as too long is summarised, and the run goes on', async () => {
  const words = 'word '.repeat(400)
  const asked: string[] = []
  const script: Script = (request) => {
    const isSummary = request.tools.length === 0 && request.turns.length <= 2
    asked.push(isSummary ? 'summary' : 'turn')
    if (isSummary) return { text: 'They talked about words.' }
    const size = JSON.stringify(request.turns).length
    if (size > 12_000) return { error: 400, message: tooLong, code: 'context_length_exceeded' }
    return { text: words }
  }
  await using engine = await startEngine({ tools: [countingTool('any')] })
  engine.standIn.script(script)
  const middleware = [createSummarisation({ model: engine.agent.model, keepMessages: 4 })]
  const executor = engine.createExecutor({ agent: { ...engine.agent, middleware } })
  const say = () => collect(executor.execute(words, engine.session_id, { principal: person }))
  for (let turn = 0; turn < 5; turn += 1) {
    expect((await say()).at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  }
  expect(asked).toContain('summary')
  const rows = await engine.sql.events.read(engine.session_id, { after: 0, limit: 100 })
  expect(rows.filter(({ kind }) => kind === 'summary').length).toBeGreaterThan(0)
  expect(rows.filter(({ kind }) => kind === 'error')).toEqual([])
})

const tooLong = "This model's maximum context length is 4000 tokens."

test('a message that a summary stands for is known when it is repeated, also by another process', async () => {
  const summing: AgentMiddleware = {
    name: 'summing',
    beforeModel({ messages }) {
      if (messages.length < 3) return undefined
      const content = 'They talked.'
      const left = messages.slice(2)
      return { messages: [{ role: 'user', content }, ...left], summary: { content, count: 2 } }
    },
  }
  await using engine = await startEngine({ agent: { middleware: [summing] }, script: () => 'Hm.' })
  const { session_id, sql } = engine
  await engine.say('Hello', { message_id: 'a' })
  // More than is read where there is no need to.
  const state = { event_type: 'session_state', timestamp: 1, status: 'running' }
  const row = { kind: state.event_type, json: JSON.stringify(state) }
  await sql.events.append(session_id, Array(600).fill(row))
  for (const message_id of ['b', 'c', 'd', 'e']) await engine.say('Hello', { message_id })
  for (const message_id of ['a', 'b', 'c', 'd', 'e']) {
    const again = { principal: person, message_id }
    const events = await collect(engine.createExecutor().execute('Hello', session_id, again))
    expect(events).toMatchObject([{ event_type: 'error', error_code: 'conflict' }])
  }
  const next = { principal: person, message_id: 'f' }
  const events = await collect(engine.createExecutor().execute('Hello', session_id, next))
  expect(events.at(-1)).toMatchObject({ event_type: 'done' })
})

test('only a message that the log holds is told as received [D11.4]', async () => {
  await using engine = await startEngine({ script: () => 'Hm.' })
  const { session_id, sql } = engine
  const append = () => Promise.reject(new AppError('conflict', 'the log has gone on'))
  const outrun = engine.createExecutor({ log: { ...sql.events, append } })
  const lost = { principal: person, message_id: 'a' }
  const [refused, ...more] = await collect(outrun.execute('Hello', session_id, lost))
  expect(refused).toMatchObject({ event_type: 'error', error_code: 'conflict', seq: 0 })
  expect(refused).not.toHaveProperty('details')
  expect(more).toEqual([])
  expect((await engine.say('Hello', { message_id: 'a' })).at(-1)?.event_type).toBe('done')
  expect(await engine.say('Hello', { message_id: 'a' })).toMatchObject([
    { error_code: 'conflict', details: { received: true } },
  ])
})

test('what is kept of a session is not given to another user, or from another life [D32.3]', async () => {
  const asked: string[] = []
  const script: Script = (request) => {
    asked.push(JSON.stringify(request.turns))
    return { text: 'Hm.' }
  }
  await using engine = await startEngine({ script })
  const { executor, session_id, sql } = engine
  await collect(executor.execute('my secret', session_id, { principal: person }))
  const session = (await sql.sessions.get('default', session_id))!
  await sql.sessions.delete('default', session_id)
  await sql.sessions.create({ ...session, user_id: 'eve' })
  const eve = { principal: { ...person, user_id: 'eve' } }
  const other = engine.createExecutor()
  await collect(other.execute('hello', session_id, eve))
  await collect(executor.execute('hello again', session_id, eve))
  await collect(executor.resume(session_id, eve))
  expect(asked.slice(1).join()).not.toContain('my secret')
  expect(asked).toHaveLength(3)
})

test('the model is asked when there is a place for it, each time', async () => {
  await using engine = await startEngine({
    tools: [countingTool('count')],
    script: [{ toolCalls: [{ name: 'count', arguments: {} }] }, { text: 'Done.' }],
  })
  const asked: number[] = []
  const waitForPlace = async () => void asked.push(engine.standIn.requests.length)
  const events = await engine.say('Count', { waitForPlace })
  expect(asked).toEqual([0, 1])
  expect(textOf(events)).toBe('Done.')
})

test('a run that is cancelled while it waits for a place ends as cancelled', async () => {
  await using engine = await startEngine({ script: [{ text: 'Never said.' }] })
  const cancel = new AbortController()
  const waitForPlace = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      cancel.abort()
    })
  const events = await engine.say('Go', { waitForPlace, signal: cancel.signal })
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
  expect(engine.standIn.requests).toEqual([])
})

test('a run has the id that its caller chose', async () => {
  await using engine = await startEngine({ script: [{ text: 'One.' }, { text: 'Two.' }] })
  expect(runIdsOf(await engine.say('First', { run_id: 'run-1' }))).toEqual(['run-1'])
  expect(await engine.say('Second', { run_id: '' })).toMatchObject([
    { event_type: 'error', error_code: 'invalid_request' },
  ])
  expect(await engine.sql.events.head(engine.session_id)).toBe(4)
})

test('a run that is gone on with keeps its id; one that begins anew takes the given one', async () => {
  await using engine = await startEngine({
    script: [{ error: 500 }, { text: 'One.' }, { text: 'Two.' }],
  })
  const { session_id, executor, sql } = engine
  const resume = (run_id: string) =>
    collect(executor.resume(session_id, { principal: person, run_id }))
  await engine.say('First')
  expect(runIdsOf(await resume('run-2'))).toEqual(['run-2'])
  const left = { event_type: 'user_message', timestamp: 1, message_id: 'm', content: 'Second' }
  const after = await sql.events.head(session_id)
  const json = JSON.stringify({ ...left, session_id, seq: after + 1, run_id: 'left' })
  await sql.events.append(session_id, [{ kind: left.event_type, json }], { after })
  expect(runIdsOf(await resume('run-3'))).toEqual(['left'])
})

test('a caller who names a run goes on with it alone, and only where it is open [D11.3]', async () => {
  await using engine = await startEngine({ script: [{ error: 500 }, { text: 'One.' }] })
  const { session_id, executor, sql } = engine
  const resume = (onlyRun: string) =>
    collect(executor.resume(session_id, { principal: person, onlyRun }))
  await engine.say('First', { run_id: 'run-1' })
  expect(await resume('run-1')).toEqual([])
  const left = { event_type: 'user_message', timestamp: 1, message_id: 'm', content: 'Second' }
  const after = await sql.events.head(session_id)
  const json = JSON.stringify({ ...left, session_id, seq: after + 1, run_id: 'left' })
  await sql.events.append(session_id, [{ kind: left.event_type, json }], { after })
  expect(await resume('run-1')).toEqual([])
  expect(textOf(await resume('left'))).toBe('One.')
})

test('what was left is read from the log once, not from what was kept', async () => {
  await using engine = await startEngine({
    script: [{ error: 500 }, { text: 'One.' }, { text: 'Two.' }, { error: 500 }, { text: 'End.' }],
  })
  const { session_id, sql } = engine
  let reads = 0
  const tail: typeof sql.events.tail = (...given) => {
    reads += 1
    return sql.events.tail(...given)
  }
  const executor = engine.createExecutor({ log: { ...sql.events, tail } })
  const context = { principal: person }
  await collect(executor.execute('First', session_id, context))
  await collect(engine.executor.resume(session_id, context))
  await engine.say('Second')
  await engine.say('Third')
  reads = 0
  expect(textOf(await collect(executor.resume(session_id, context)))).toBe('End.')
  expect(reads).toBe(1)
  expect(engine.standIn.requests.at(-1)?.turns.map(({ text }) => text)).toEqual([
    ...['You help.', 'First', 'One.', 'Second', 'Two.', 'Third'],
  ])
})

function runIdsOf(events: readonly RunEvent[]): unknown[] {
  return [...new Set(events.map(({ run_id }) => run_id))]
}

test('a program lives as long as its run, also while that only waits', async () => {
  const program = fileURLToPath(new URL('./test-waiting-run.ts', import.meta.url))
  const child = fork(program, { silent: true, execArgv: ['--conditions=dataagent-source'] })
  const [output, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit')])
  expect({ output, code }).toEqual({ output: 'done\n', code: 0 })
})

test('after a reader has left, the next message is taken as soon as the run has ended', async () => {
  const tool = countingTool('wait', { run: () => new Promise(() => {}) })
  await using engine = await startEngine({
    tools: [tool],
    script: [{ toolCalls: [{ name: 'wait', arguments: {} }] }, { text: 'Here.' }],
  })
  const context = { principal: person }
  for await (const { event_type } of engine.executor.execute('Go', engine.session_id, context)) {
    if (event_type === 'tool_started') break
  }
  expect(textOf(await engine.say('Hello'))).toBe('Here.')
})
