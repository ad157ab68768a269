import { afterAll, describe, expect, test } from 'vitest'
import { startModelStandIn } from './model-stand-in.ts'
import { ask, parseEvents, weather } from './test-client.ts'

const standIn = await startModelStandIn()
afterAll(() => standIn[Symbol.asyncDispose]())

const hello = { role: 'user', content: 'hello' }
const tools = [{ type: 'function', function: { name: 'get_weather', parameters: weather } }]
const calls = [
  { name: 'get_weather', arguments: { city: 'Paris', days: 2 }, id: 'call_1' },
  { name: 'get_weather', arguments: { city: 'Rome', days: 3 }, id: 'call_2' },
]

async function whole(body: Record<string, unknown>) {
  const response = await ask(standIn, 'openai', { model: 'standin', messages: [hello], ...body })
  return { response, body: (await response.json()) as Record<string, unknown> }
}

async function streamed(body: Record<string, unknown>): Promise<string> {
  const request = { model: 'standin', messages: [hello], stream: true, ...body }
  return (await ask(standIn, 'openai', request)).text()
}

describe('a whole completion', () => {
  test('of text has the fields of the API', async () => {
    standIn.script(['Hello there, friend.'])
    const { response, body } = await whole({})
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    expect(body).toEqual({
      id: expect.stringMatching(/^chatcmpl-\w+$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'standin',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Hello there, friend.',
            refusal: null,
            annotations: [],
          },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: expect.objectContaining({
        prompt_tokens: expect.any(Number),
        completion_tokens: 5,
        total_tokens: expect.any(Number),
      }),
      service_tier: 'default',
      system_fingerprint: 'fp_standin',
    })
  })

  test('of tool calls has null content and arguments as JSON text', async () => {
    standIn.script([{ toolCalls: calls }])
    const { body } = await whole({ tools })
    expect(body.choices).toMatchObject([
      {
        finish_reason: 'tool_calls',
        message: {
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'get_weather', arguments: '{"city":"Paris","days":2}' },
            },
            { id: 'call_2', function: { arguments: '{"city":"Rome","days":3}' } },
          ],
        },
      },
    ])
  })

  test('that is cut by max_tokens finishes by length', async () => {
    standIn.script(['one two three four five'])
    const { body } = await whole({ max_completion_tokens: 2 })
    expect(body.choices).toMatchObject([
      { finish_reason: 'length', message: { content: 'one two' } },
    ])
  })

  test('ends before a stop sequence', async () => {
    standIn.script(['one END two'])
    const { body } = await whole({ stop: ['END'] })
    expect(body.choices).toMatchObject([{ finish_reason: 'stop', message: { content: 'one ' } }])
  })
})

describe('a stream', () => {
  test('is, byte for byte, chunks of one id, each ended by an empty line, then [DONE]', async () => {
    standIn.script(['Hi you'])
    const stream = await streamed({})
    const { id, created } = parseEvents(stream)[0]?.data ?? {}
    const chunk = (choice: string) =>
      `data: {"id":"${id}","object":"chat.completion.chunk","created":${created},"model":"standin",` +
      `"service_tier":"default","system_fingerprint":"fp_standin","choices":[{"index":0,${choice}}]}\n\n`
    expect(stream).toBe(
      chunk(
        '"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null',
      ) +
        chunk('"delta":{"content":"Hi"},"logprobs":null,"finish_reason":null') +
        chunk('"delta":{"content":" you"},"logprobs":null,"finish_reason":null') +
        chunk('"delta":{},"logprobs":null,"finish_reason":"stop"') +
        'data: [DONE]\n\n',
    )
  })

  test('is an event stream that is not to be cached', async () => {
    standIn.script(['x'])
    const body = { model: 'standin', messages: [hello], stream: true }
    const { headers } = await ask(standIn, 'openai', body)
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-cache')
  })

  test('names the usage last, with no choices, when asked to', async () => {
    standIn.script(['Hi you'])
    const stream = await streamed({ stream_options: { include_usage: true } })
    const events = parseEvents(stream).map(({ data }) => data)
    expect(events.slice(0, -1).map(({ usage }) => usage)).toEqual([null, null, null, null])
    expect(events.at(-1)).toMatchObject({
      object: 'chat.completion.chunk',
      choices: [],
      usage: { completion_tokens: 2 },
    })
    expect(stream.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('of parallel calls gives id and name once, then arguments in fragments by index', async () => {
    standIn.script([{ text: 'Let me see', toolCalls: calls }])
    const events = parseEvents(await streamed({ tools })).map(
      ({ data }) => (data.choices as { delta: Delta; finish_reason: string | null }[])[0],
    )
    const deltas = events.flatMap((event) => event?.delta.tool_calls ?? [])
    expect(deltas.filter(({ id }) => id)).toEqual([
      {
        index: 0,
        id: 'call_1',
        type: 'function',
        function: { name: 'get_weather', arguments: '' },
      },
      {
        index: 1,
        id: 'call_2',
        type: 'function',
        function: { name: 'get_weather', arguments: '' },
      },
    ])
    const joined = [0, 1].map((index) =>
      deltas
        .filter((delta) => delta.index === index)
        .map((delta) => delta.function.arguments)
        .join(''),
    )
    expect(joined).toEqual(['{"city":"Paris","days":2}', '{"city":"Rome","days":3}'])
    expect(deltas.length).toBeGreaterThan(6)
    expect(events.map((event) => event?.delta.content ?? '').join('')).toBe('Let me see')
    expect(events.at(-1)?.finish_reason).toBe('tool_calls')
  })
})

interface Delta {
  content?: string | null
  tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[]
}

describe('errors have the shape of the API', () => {
  test.for([
    [{ error: 401 }, 401, 'invalid_request_error', 'invalid_api_key', null],
    [{ error: 429, retryAfter: 7 }, 429, 'requests', 'rate_limit_exceeded', '7'],
    [
      { error: 429, code: 'insufficient_quota' },
      429,
      'insufficient_quota',
      'insufficient_quota',
      '1',
    ],
    [{ error: 500 }, 500, 'server_error', null, null],
    [{ error: 503 }, 503, 'server_error', null, '1'],
  ] as const)('%o', async ([reply, status, type, code, retryAfter]) => {
    standIn.script([reply])
    const { response, body } = await whole({})
    expect(response.status).toBe(status)
    expect(response.headers.get('retry-after')).toBe(retryAfter)
    expect(body).toEqual({ error: { message: expect.any(String), type, param: null, code } })
  })

  test('a context that is too long', async () => {
    standIn.script(() => 'unreachable')
    const long = { role: 'user', content: 'x'.repeat(1_000) }
    const { response, body } = await whole({ model: 'standin-ctx100', messages: [long] })
    expect(response.status).toBe(400)
    expect(body.error).toEqual({
      message: expect.stringMatching(
        /^This model's maximum context length is 100 tokens\. However/,
      ),
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    })
  })

  test.for([
    ['no key', null],
    ['a wrong key', 'sk-invalid-1'],
  ] as const)('%s', async ([, key]) => {
    const response = await ask(standIn, 'openai', { model: 'm', messages: [hello] }, { key })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key' } })
  })
})

describe('the API refuses', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }
  const called = { role: 'assistant', content: null, tool_calls: [call, { ...call, id: 'c2' }] }
  const result = { role: 'tool', tool_call_id: 'c1', content: 'ok' }
  const fn = (name: string, parameters: unknown = { type: 'object' }) => {
    return [{ type: 'function', function: { name, parameters } }]
  }
  const cases: [string, Record<string, unknown>, RegExp, string | null][] = [
    ['no model', { model: undefined }, /model parameter/, null],
    ['no messages', { messages: undefined }, /Missing required parameter: 'messages'/, 'messages'],
    ['empty messages', { messages: [] }, /empty array/, 'messages'],
    [
      'a role that is none',
      { messages: [{ role: 'bot', content: 'x' }] },
      /'bot'/,
      'messages[0].role',
    ],
    [
      'a user without content',
      { messages: [{ role: 'user' }] },
      /got null/,
      'messages.[0].content',
    ],
    [
      'a call that is not answered',
      { messages: [hello, called, result] },
      /did not have response messages: c2$/,
      'messages.[3].role',
    ],
    [
      'a call that is answered too late',
      { messages: [hello, called, result, hello, { ...result, tool_call_id: 'c2' }] },
      /did not have response messages: c2$/,
      'messages.[3].role',
    ],
    [
      'a result of nothing',
      { messages: [hello, result] },
      /preceeding message/,
      'messages.[1].role',
    ],
    [
      'arguments that are no text',
      {
        messages: [
          { role: 'assistant', tool_calls: [{ ...call, function: { name: 'f', arguments: {} } }] },
        ],
      },
      /expected a string, but got an object/,
      'messages[0].tool_calls[0].function.arguments',
    ],
    ['a tool name with a dot', { tools: fn('a.b') }, /pattern/, 'tools[0].function.name'],
    ['a tool name of 65', { tools: fn('x'.repeat(65)) }, /length 64/, 'tools[0].function.name'],
    [
      'a schema of a string',
      { tools: fn('f', { type: 'string' }) },
      /"object"/,
      'tools[0].function.parameters',
    ],
    ['no tools in a list', { tools: [] }, /empty array/, 'tools'],
    ['129 tools', { tools: Array(129).fill(fn('f')[0]) }, /maximum length 128/, 'tools'],
    ['a choice without tools', { tool_choice: 'auto' }, /only allowed when 'tools'/, 'tool_choice'],
    [
      'the choice of a tool that is not there',
      { tools: fn('f'), tool_choice: { type: 'function', function: { name: 'g' } } },
      /'g' not found/,
      'tool_choice',
    ],
    [
      'stream options without stream',
      { stream_options: {} },
      /'stream' is enabled/,
      'stream_options',
    ],
    ['a knob that is none', { model: 'standin-ttft1-foo2' }, /knobs/, null],
  ]
  test.for(cases)('%s', async ([, request, message, param]) => {
    const { response, body } = await whole(request)
    expect(response.status).toBe(request.model ? 404 : 400)
    expect(body.error).toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringMatching(message),
      param,
    })
  })

  test('what is no JSON', async () => {
    const response = await ask(standIn, 'openai', '{"model":')
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('could not parse the JSON body')
  })
})

test('system and developer messages, parts and answered calls are understood', async () => {
  standIn.script(({ turns }) => JSON.stringify(turns))
  const { body } = await whole({
    messages: [
      { role: 'system', content: 'S' },
      { role: 'developer', content: [{ type: 'text', text: 'D' }] },
      { role: 'user', content: [{ type: 'text', text: 'U' }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'R' },
    ],
  })
  const [choice] = body.choices as { message: { content: string } }[]
  const none = { toolCalls: [], toolResults: [] }
  expect(JSON.parse(choice?.message.content ?? '')).toEqual([
    { role: 'system', text: 'S', ...none },
    { role: 'system', text: 'D', ...none },
    { role: 'user', text: 'U', ...none },
    {
      role: 'assistant',
      text: '',
      toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }],
      toolResults: [],
    },
    { role: 'tool', text: '', toolCalls: [], toolResults: [{ id: 'c', text: 'R' }] },
  ])
})

test('models are listed and one is described', async () => {
  const headers = { authorization: `Bearer ${standIn.apiKey}` }
  const list = await (await fetch(`${standIn.url}/v1/models`, { headers })).json()
  const first = { id: 'standin', object: 'model', created: 1_700_000_000, owned_by: 'stand-in' }
  expect(list).toMatchObject({ object: 'list', data: [first, { id: 'standin-tools1' }] })
  const one = await fetch(`${standIn.url}/v1/models/standin`, { headers })
  expect(await one.json()).toEqual(first)
  const none = await fetch(`${standIn.url}/v1/models/none`, { headers })
  expect(none.status).toBe(404)
})
