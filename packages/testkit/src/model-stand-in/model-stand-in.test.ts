import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { longCount } from '../long-count.ts'
import { waitFor } from '../wait-for.ts'
import { startModelStandIn } from './model-stand-in.ts'
import { ask, parseEvents, weather } from './test-client.ts'

const standIn = await startModelStandIn()
afterAll(() => standIn[Symbol.asyncDispose]())
afterEach(() => waitFor(() => standIn.active() === 0, { what: 'no request to be left open' }))

const hello = { role: 'user', content: 'hello' }
const tools = [
  { type: 'function', function: { name: 'get_weather', parameters: weather } },
  { type: 'function', function: { name: 'list_cities', parameters: { type: 'object' } } },
]

type Message = Record<string, unknown> & {
  content: string | null
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
}

async function complete(body: Record<string, unknown>, key?: string): Promise<Message> {
  const request = { model: 'standin', messages: [hello], ...body }
  const response = await ask(standIn, 'openai', request, key === undefined ? {} : { key })
  const { choices } = (await response.json()) as { choices: { message: Message }[] }
  return choices[0]?.message as Message
}

async function stream(model: string, signal?: AbortSignal): Promise<Response> {
  const body = { model, messages: [hello], stream: true }
  return ask(standIn, 'openai', body, { ...(signal && { signal }) })
}

describe('without a script', () => {
  test('it echoes the last user message', async () => {
    const key = standIn.createKey()
    expect((await complete({}, key.apiKey)).content).toBe('You said: hello')
  })

  test('tools2 calls tools in two rounds with arguments that fit, then tells their results', async () => {
    const messages: unknown[] = [{ role: 'user', content: 'Paris' }]
    const named: string[] = []
    for (let round = 0; round < 2; round++) {
      const message = await complete({ model: 'standin-tools2', messages, tools })
      const [call] = message.tool_calls ?? []
      named.push(`${call?.function.name} ${call?.function.arguments}`)
      messages.push(message, { role: 'tool', tool_call_id: call?.id, content: `result ${round}` })
    }
    expect(named).toEqual(['get_weather {"city":"Paris","days":1}', 'list_cities {}'])
    const last = await complete({ model: 'standin-tools2', messages, tools })
    expect(last.content).toBe('The tools answered: result 1')
  })

  test('par3 makes three calls at once, with ids of their own', async () => {
    const { tool_calls } = await complete({ model: 'standin-tools1-par3', tools })
    expect(new Set(tool_calls?.map(({ id }) => id)).size).toBe(3)
  })

  test('tool_choice decides over the knobs', async () => {
    const forced = { type: 'function', function: { name: 'list_cities' } }
    const one = await complete({ tools, tool_choice: forced })
    expect(one.tool_calls?.map((call) => call.function.name)).toEqual(['list_cities'])
    const none = await complete({ model: 'standin-tools1', tools, tool_choice: 'none' })
    expect(none.tool_calls).toBeUndefined()
  })

  test('a response format is kept', async () => {
    const json_schema = { name: 'answer', schema: weather }
    const format = { type: 'json_schema', json_schema }
    const { content } = await complete({ response_format: format })
    expect(JSON.parse(content ?? '')).toEqual({ city: 'hello', days: 1 })
  })

  test('badjson gives arguments that do not parse', async () => {
    const { tool_calls } = await complete({ model: 'standin-tools1-badjson', tools })
    expect(() => JSON.parse(tool_calls?.[0]?.function.arguments ?? '{}')).toThrow()
  })

  test('textcalls puts the call in the text, and takes the result as text', async () => {
    const model = 'standin-tools1-textcalls'
    const system = { role: 'system', content: 'Tools: [{"name": "list_cities"}]' }
    const first = await complete({ model, messages: [system, hello] })
    expect(JSON.parse(first.content ?? '')).toEqual({
      tool_call: { name: 'list_cities', arguments: {} },
    })
    expect(first.tool_calls).toBeUndefined()
    for (const role of ['tool', 'user']) {
      const result = { role, content: 'Paris', ...(role === 'tool' && { tool_call_id: 'x' }) }
      const second = await complete({ model, messages: [system, hello, first, result] })
      expect(second.content).toBe('The tools answered: Paris')
    }
  })

  test('len and seed decide the text', async () => {
    const [a, b, c] = await Promise.all(
      ['standin-len20-seed1', 'standin-len20-seed1', 'standin-len20-seed2'].map((model) =>
        complete({ model }),
      ),
    )
    expect(a?.content?.split(' ')).toHaveLength(20)
    expect(a?.content).toBe(b?.content)
    expect(a?.content).not.toBe(c?.content)
  })
})

describe('knobs of time and failure', () => {
  test('ttft and itl space the tokens', async () => {
    const began = performance.now()
    const response = await stream('standin-ttft100-itl20-len6')
    const times: number[] = []
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      if (decoder.decode(chunk).includes('"content":"')) times.push(performance.now() - began)
    }
    const tokens = times.slice(1)
    expect(tokens[0]).toBeGreaterThanOrEqual(98)
    expect(tokens.at(-1)).toBeGreaterThanOrEqual(198)
    expect(tokens.length).toBeGreaterThan(1)
  })

  test('err429-every3 refuses each third request of a key', async () => {
    const { apiKey: key } = standIn.createKey()
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      const body = { model: 'standin-err429-every3', messages: [hello] }
      statuses.push((await ask(standIn, 'openai', body, { key })).status)
    }
    expect(statuses).toEqual([200, 200, 429, 200, 200, 429])
  })

  test.for(['openai', 'anthropic'] as const)('cut drops the connection of %s', async (provider) => {
    const { apiKey: key, requests } = standIn.createKey()
    const body = { model: 'standin-len50-cut5', messages: [hello], stream: true, max_tokens: 99 }
    const response = await ask(standIn, provider, body, { key })
    let received = ''
    const decoder = new TextDecoder()
    const reading = (async () => {
      for await (const chunk of response.body ?? []) received += decoder.decode(chunk)
    })()
    await expect(reading).rejects.toThrow('terminated')
    expect(received.match(/"(content|text)":"[^"]/g)).toHaveLength(5)
    expect(requests[0]?.outcome).toBe('cut')
  })

  test('break ends an OpenAI stream with an error object', async () => {
    const text = await (await stream('standin-len50-break5')).text()
    expect(parseEvents(text).at(-1)?.data).toMatchObject({ error: { type: 'server_error' } })
    expect(text).not.toContain('[DONE]')
  })

  test('break ends an Anthropic stream with an error event', async () => {
    const body = { model: 'standin-len50-break5', max_tokens: 99, messages: [hello], stream: true }
    const text = await (await ask(standIn, 'anthropic', body)).text()
    expect(parseEvents(text).at(-1)).toEqual({
      event: 'error',
      data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    })
  })
})

describe('scripts', () => {
  test('steps are used in order, functions see the request, and one too many is refused', async () => {
    const key = standIn.createKey()
    key.script(['first', (request) => `request ${request.number} by ${request.provider}`])
    expect((await complete({}, key.apiKey)).content).toBe('first')
    expect((await complete({}, key.apiKey)).content).toBe('request 2 by openai')
    const body = { model: 'standin', messages: [hello] }
    const third = await ask(standIn, 'openai', body, { key: key.apiKey })
    expect(third.status).toBe(400)
    expect(await third.text()).toContain('no step for request 3')
  })

  test('a step with a condition waits for the user message it is for', async () => {
    const key = standIn.createKey()
    key.script([
      { when: /weather/, reply: 'sunny' },
      { when: 'hel', reply: 'hi' },
    ])
    expect((await complete({}, key.apiKey)).content).toBe('hi')
    const messages = [{ role: 'user', content: 'the weather?' }]
    expect((await complete({ messages }, key.apiKey)).content).toBe('sunny')
  })

  test('keys do not meet: each has its script and its record', async () => {
    const [a, b] = [standIn.createKey(), standIn.createKey()]
    a.script(() => 'I am a')
    b.script(() => 'I am b')
    const [said] = await Promise.all([complete({}, a.apiKey), complete({}, b.apiKey)])
    expect(said?.content).toBe('I am a')
    expect(a.requests).toHaveLength(1)
    expect(a.requests[0]).toMatchObject({
      provider: 'openai',
      apiKey: a.apiKey,
      model: 'standin',
      number: 1,
      outcome: 'complete',
      body: { messages: [hello] },
      headers: { authorization: `Bearer ${a.apiKey}` },
    })
    expect(standIn.requests).toContain(a.requests[0])
  })

  test('arguments given as text go out as they are', async () => {
    const key = standIn.createKey()
    key.script([{ toolCalls: [{ name: 'f', arguments: '{"a":' }] }])
    const { tool_calls } = await complete({}, key.apiKey)
    expect(tool_calls?.[0]?.function.arguments).toBe('{"a":')
  })
})

test('a client that leaves stops its stream', async () => {
  const { apiKey: key, requests } = standIn.createKey()
  const leave = new AbortController()
  const body = { model: 'standin-itl20-len100000', messages: [hello], stream: true }
  const response = await ask(standIn, 'openai', body, { key, signal: leave.signal })
  await response.body?.getReader().read()
  expect(standIn.active()).toBe(1)
  leave.abort()
  await waitFor(() => standIn.active() === 0)
  await waitFor(() => requests[0]?.outcome === 'disconnected')
})
test('many streams at once all end whole', async () => {
  const count = longCount(200, 2_000)
  await using load = await startModelStandIn({ recordLimit: 0 })
  const body = { model: 'standin-ttft20-itl5-len40', messages: [hello], stream: true }
  const texts = await Promise.all(
    Array.from({ length: count }, async () => (await ask(load, 'openai', body)).text()),
  )
  const whole = texts.filter((text) => text.endsWith('data: [DONE]\n\n'))
  expect(whole).toHaveLength(count)
  expect(new Set(texts.map((text) => parseEvents(text).length))).toEqual(new Set([42]))
  expect(load.requests).toHaveLength(0)
})
