import { afterAll, describe, expect, test } from 'vitest'
import { startModelStandIn } from './model-stand-in.ts'
import { ask, parseEvents, weather } from './test-client.ts'

const standIn = await startModelStandIn()
afterAll(() => standIn[Symbol.asyncDispose]())

const hello = { role: 'user', content: 'hello' }
const tools = [{ name: 'get_weather', description: 'Weather', input_schema: weather }]
const calls = [
  { name: 'get_weather', arguments: { city: 'Paris', days: 2 }, id: 'toolu_1' },
  { name: 'get_weather', arguments: { city: 'Rome', days: 3 }, id: 'toolu_2' },
]
const base = { model: 'standin', max_tokens: 100, messages: [hello] }

async function whole(body: Record<string, unknown>) {
  const response = await ask(standIn, 'anthropic', { ...base, ...body })
  return { response, body: (await response.json()) as Record<string, unknown> }
}

async function streamed(body: Record<string, unknown>): Promise<string> {
  return (await ask(standIn, 'anthropic', { ...base, stream: true, ...body })).text()
}

describe('a whole message', () => {
  test('has the fields of the API, text first and tool uses after it', async () => {
    standIn.script([{ text: 'Let me see', toolCalls: calls }])
    const { response, body } = await whole({ tools })
    expect(response.headers.get('request-id')).toMatch(/^req_/)
    expect(body).toEqual({
      id: expect.stringMatching(/^msg_\w{24}$/),
      type: 'message',
      role: 'assistant',
      model: 'standin',
      content: [
        { type: 'text', text: 'Let me see' },
        { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris', days: 2 } },
        { type: 'tool_use', id: 'toolu_2', name: 'get_weather', input: { city: 'Rome', days: 3 } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: {
        input_tokens: expect.any(Number),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: expect.any(Number),
      },
    })
  })

  test.for([
    [{}, 'end_turn', null, 'one two END three'],
    [{ max_tokens: 2 }, 'max_tokens', null, 'one two'],
    [{ stop_sequences: ['END'] }, 'stop_sequence', 'END', 'one two '],
  ] as const)('with %o stops for %s', async ([options, stop_reason, stop_sequence, text]) => {
    standIn.script(['one two END three'])
    const { body } = await whole(options)
    expect(body).toMatchObject({ stop_reason, stop_sequence, content: [{ type: 'text', text }] })
  })
})

describe('a stream', () => {
  test('is, byte for byte, named events in the order of the API', async () => {
    standIn.script(['Hi you'])
    const stream = await streamed({})
    const start = parseEvents(stream)[0]?.data.message as {
      id: string
      usage: { input_tokens: number }
    }
    expect(stream).toBe(
      `event: message_start\ndata: {"type":"message_start","message":{"id":"${start.id}","type":"message",` +
        '"role":"assistant","model":"standin","content":[],"stop_reason":null,"stop_sequence":null,' +
        `"usage":{"input_tokens":${start.usage.input_tokens},"cache_creation_input_tokens":0,` +
        '"cache_read_input_tokens":0,"output_tokens":1}}}\n\n' +
        'event: content_block_start\ndata: {"type":"content_block_start","index":0,' +
        '"content_block":{"type":"text","text":""}}\n\n' +
        'event: ping\ndata: {"type":"ping"}\n\n' +
        'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,' +
        '"delta":{"type":"text_delta","text":"Hi"}}\n\n' +
        'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,' +
        '"delta":{"type":"text_delta","text":" you"}}\n\n' +
        'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n' +
        'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn",' +
        '"stop_sequence":null},"usage":{"output_tokens":2}}\n\n' +
        'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    )
  })

  test('of parallel uses is one block after the other, each with its input in fragments', async () => {
    standIn.script([{ toolCalls: calls }])
    const events = parseEvents(await streamed({ tools }))
    const order = events.map(({ event, data }) => `${event} ${data.index ?? ''}`.trim())
    expect(order.filter((name, i) => name !== order[i - 1])).toEqual([
      'message_start',
      'content_block_start 0',
      'content_block_delta 0',
      'content_block_stop 0',
      'content_block_start 1',
      'content_block_delta 1',
      'content_block_stop 1',
      'message_delta',
      'message_stop',
    ])
    expect(events[1]?.data.content_block).toEqual({
      type: 'tool_use',
      id: 'toolu_1',
      name: 'get_weather',
      input: {},
    })
    const deltas = events
      .filter(({ data }) => data.index === 1 && data.delta)
      .map(({ data }) => data.delta as { type: string; partial_json: string })
    expect(deltas[0]).toEqual({ type: 'input_json_delta', partial_json: '' })
    expect(deltas.length).toBeGreaterThan(3)
    expect(deltas.map((delta) => delta.partial_json).join('')).toBe('{"city":"Rome","days":3}')
    expect(events.at(-2)?.data.delta).toEqual({ stop_reason: 'tool_use', stop_sequence: null })
  })
})

describe('errors have the shape of the API', () => {
  test.for([
    [401, 'authentication_error', null],
    [403, 'permission_error', null],
    [404, 'not_found_error', null],
    [429, 'rate_limit_error', '1'],
    [500, 'api_error', null],
    [529, 'overloaded_error', '1'],
  ] as const)('%i is %s', async ([status, type, retryAfter]) => {
    const { response, body } = await whole({ model: `standin-err${status}` })
    expect(response.status).toBe(status)
    expect(response.headers.get('retry-after')).toBe(retryAfter)
    expect(body).toEqual({
      type: 'error',
      error: { type, message: expect.any(String) },
      request_id: response.headers.get('request-id'),
    })
  })

  test('a prompt that is too long', async () => {
    const messages = [{ role: 'user', content: 'x'.repeat(1_000) }]
    const { body } = await whole({ model: 'standin-ctx100', messages })
    expect(body.error).toEqual({
      type: 'invalid_request_error',
      message: expect.stringMatching(/^prompt is too long: \d+ tokens > 100 maximum$/),
    })
  })

  test('no key', async () => {
    const response = await ask(standIn, 'anthropic', base, { key: null })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { type: 'authentication_error' } })
  })
})

describe('the API refuses', () => {
  const use = (id: string, rest = {}) => ({ type: 'tool_use', id, name: 'f', input: {}, ...rest })
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })
  const used = { role: 'assistant', content: [use('a'), use('b')] }
  const user = (...content: unknown[]) => ({ role: 'user', content })
  const cases: [string, Record<string, unknown>, RegExp][] = [
    ['no max_tokens', { max_tokens: undefined }, /^max_tokens: Field required$/],
    ['no model', { model: undefined }, /^model: Field required$/],
    ['no messages', { messages: undefined }, /^messages: Field required$/],
    ['empty messages', { messages: [] }, /at least one message/],
    ['a system role', { messages: [{ role: 'system', content: 'x' }] }, /top-level `system`/],
    ['a tool role', { messages: [{ role: 'tool', content: 'x' }] }, /'user' or 'assistant'$/],
    ['an assistant first', { messages: [{ role: 'assistant', content: 'x' }] }, /first message/],
    ['empty content', { messages: [{ role: 'user', content: '' }] }, /non-empty content/],
    ['an empty text block', { messages: [user({ type: 'text', text: '' })] }, /must be non-empty/],
    [
      'a use that is not answered',
      { messages: [hello, used, user(result('a'))] },
      /^messages\.1: `tool_use` ids were found without `tool_result` blocks immediately after: b\./,
    ],
    ['a use at the end', { messages: [hello, used] }, /immediately after: a, b/],
    [
      'results after text',
      { messages: [hello, used, user({ type: 'text', text: 'x' }, result('a'), result('b'))] },
      /immediately after: a, b/,
    ],
    ['a result of nothing', { messages: [user(result('z'))] }, /unexpected `tool_use_id`.*: z\./],
    [
      'an input that is text',
      { messages: [hello, { role: 'assistant', content: [use('a', { input: '{}' })] }] },
      /input: Input should be a valid dictionary/,
    ],
    [
      'a tool name with a dot',
      { tools: [{ name: 'a.b', input_schema: { type: 'object' } }] },
      /^tools\.0\.custom\.name: String should match pattern/,
    ],
    ['a tool without schema', { tools: [{ name: 'f' }] }, /input_schema: Field required/],
    ['tools of one name', { tools: [tools[0], tools[0]] }, /must be unique/],
    ['a choice without tools', { tool_choice: { type: 'any' } }, /while providing tools/],
  ]
  test.for(cases)('%s', async ([, request, message]) => {
    const { response, body } = await whole(request)
    expect(response.status).toBe(400)
    expect(body.error).toEqual({
      type: 'invalid_request_error',
      message: expect.stringMatching(message),
    })
  })

  test('no version', async () => {
    const response = await fetch(`${standIn.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': standIn.apiKey },
      body: JSON.stringify(base),
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('anthropic-version: header is required')
  })
})

test('results in several messages of the user are read as one', async () => {
  standIn.script(['fine'])
  const result = (id: string) => {
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] }
  }
  const uses = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'f', input: {} }))
  const messages = [hello, { role: 'assistant', content: uses }, result('a'), result('b')]
  const { response } = await whole({ messages })
  expect(response.status).toBe(200)
})

test('models are listed', async () => {
  const headers = { 'x-api-key': standIn.apiKey, 'anthropic-version': '2023-06-01' }
  const response = await fetch(`${standIn.url}/v1/models`, { headers })
  expect(await response.json()).toMatchObject({
    data: [{ type: 'model', id: 'standin' }, { id: 'standin-tools1' }],
    has_more: false,
    first_id: 'standin',
    last_id: 'standin-tools1',
  })
})
