import { createMemoryKv } from '@dataagent/store/kv'
import { waitFor } from '@dataagent/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { callModern } from './test-clients.ts'
import { admin, startTestGateway } from './test-gateway.ts'

/** A shop that asks before it books, and books without an answer when it is told not to wait. */
function shop(): void {
  const say = (message: object) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const inputSchema = { type: 'object' }
  const results: Record<string, object> = {
    initialize: {
      ...{ protocolVersion: '2025-06-18', capabilities: { tools: {} } },
      serverInfo: { name: 'shop', version: '1' },
    },
    'tools/list': { tools: ['book', 'hurry'].map((name) => ({ name, inputSchema })) },
  }
  let bookings = 0
  let waiting: number | undefined
  const finish = (id: number | undefined, text: string) =>
    say({ id, result: { content: [{ type: 'text', text }] } })
  function book(id: number): void {
    bookings += 1
    waiting = id
    const params = {
      message: 'By the window?',
      requestedSchema: { type: 'object', properties: {} },
    }
    say({ id: 'q', method: 'elicitation/create', params })
  }
  function hurry(id: number): void {
    say({ method: 'notifications/cancelled', params: { requestId: 'q' } })
    finish(waiting, `booking ${bookings}`)
    finish(id, 'done')
  }
  let rest = ''
  process.stdin.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const { id, method, params } of lines.map((line) => JSON.parse(line))) {
      if (method !== 'tools/call') {
        if (id !== undefined && method !== undefined) say({ id, result: results[method] ?? {} })
      } else if (params.name === 'book') book(id)
      else hurry(id)
    }
  })
}

/** Two workers with the shop, and how often one has asked the other to go on with a call. */
async function setUp({ call_limit = 240 } = {}) {
  const kv = createMemoryKv()
  onTestFinished(() => kv[Symbol.asyncDispose]())
  const passed: string[] = []
  const publish: typeof kv.publish = async (channel, text) => {
    if (text.includes('"message":{"kind":"resume"')) passed.push(text)
    return kv.publish(channel, text)
  }
  const seen = { ...kv, publish }
  const settings = { rate_limits: { call_limit } }
  const { workers, key, connect } = await startTestGateway({ kvs: [seen, seen], settings })
  const args = ['-e', `(${shop.toString()})()`]
  await connect({ name: 'shop', command: process.execPath, args })
  const [here, there] = workers
  const call = (url: string, more: object = {}) =>
    callModern(url, key, { name: 'book', ...more }, { elicitation: {} })

  async function begin() {
    const { result } = await call(here.url)
    expect(result.resultType).toBe('input_required')
    const { requestState, inputRequests } = result
    const [question = ''] = Object.keys(inputRequests)
    return { requestState, inputResponses: { [question]: { action: 'accept', content: {} } } }
  }

  /** The shop no longer waits for an answer. Resolves when its call has ended here. */
  async function hurry() {
    await callModern(here.url, key, { name: 'hurry' })
    await waitFor(async () => {
      await here.hub.audit.flush()
      const calls = await here.hub.audit.query(admin, { limit: 10, offset: 0 })
      return calls.some(({ tool_name, status }) => tool_name === 'book' && status === 'ok')
    })
  }
  return { here: here.url, there: there.url, call, begin, hurry, passed }
}

test('a server that no longer waits for the answer has its result told, and nothing runs twice [E1.2]', async () => {
  const { there, call, begin, hurry } = await setUp()
  const answered = await begin()
  await hurry()
  const { result } = await call(there, answered)
  expect(result.content).toEqual([{ type: 'text', text: 'booking 1' }])

  const again = await call(there, answered)
  expect(again.error).toMatchObject({ code: -32602, data: { error_code: 'unknown_outcome' } })
  expect(again.error?.message).toContain('may have run')
  const strange = await call(there, { ...answered, requestState: 'x' })
  expect(strange.error).toMatchObject({ code: -32602 })
  expect(strange.error?.data).toBeUndefined()
})

test('to go on with a call counts as the call does, wherever it waits [E5.1]', async () => {
  const { there, call, begin, passed } = await setUp({ call_limit: 5 })
  const { requestState } = await begin()
  const answers = []
  for (let n = 0; n < 10; n++) answers.push(await call(there, { requestState: `${requestState}` }))
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)
  expect(answers.at(-1)?.error?.data).toMatchObject({ error_code: 'rate_limited' })
  expect(passed).toHaveLength(4)
})
