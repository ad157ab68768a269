import { describe, expect, test } from 'vitest'
import type { ModelDelta, ModelMessage, ModelPort, ModelRequest } from '../contract.ts'
import { readAnswer } from '../read-answer.ts'
import { ask, describeWires, weather } from '../test-wires.ts'
import { withTextDialect } from './with-text-dialect.ts'

const json = '{"tool_call":{"name":"get_weather","arguments":{"city":"Köln {\\"x\\"}"}}}'
const found = { name: 'get_weather', arguments: { city: 'Köln {"x"}' } }
const request = ask('hi', { tools: [weather] })

/** A model without tool calls that says these pieces. */
function saying(pieces: readonly string[], reason: 'stop' | 'length' = 'stop'): ModelPort {
  return {
    name: 'test:plain',
    contextWindow: 1_000,
    callsTools: false,
    async *stream() {
      for (const text of pieces) yield [{ type: 'text', text }]
      yield [{ type: 'finish', reason }]
    },
  }
}

const read = (pieces: readonly string[], reason?: 'length') =>
  readAnswer(withTextDialect(saying(pieces, reason)).stream(request, undefined))

describe('a call in the text [B6.1]', () => {
  const cases: [string, string, string, number][] = [
    ['bare', json, '', 1],
    ['with space around it', `\n ${json} \n`, '\n ', 1],
    ['after words', `Let me look.\n${json}`, 'Let me look.\n', 1],
    ['in a code fence', `\`\`\`json\n${json}\n\`\`\``, '', 1],
    ['in a code fence after words', `Sure:\n\`\`\`\n${json}\n\`\`\`\n`, 'Sure:\n', 1],
    ['on one line with its fence', `\`\`\`json ${json}\`\`\``, '', 1],
    ['several, a line each', `${json}\n${json}\n${json}`, '', 3],
    ['several in one fence', `\`\`\`json\n${json},\n${json}\n\`\`\``, '', 2],
    ['several fences', `\`\`\`json\n${json}\n\`\`\`\n\`\`\`json\n${json}\n\`\`\``, '', 2],
    ['before words', `${json}\nI will tell you.`, 'I will tell you.', 1],
    ['behind other fields', `{"thought":"hm","tool_call":${json.slice(13, -1)}}`, '', 1],
    ['as a list', `{"tool_call":[${json.slice(13, -1)},${json.slice(13, -1)}]}`, '', 2],
    ['with spaces in it', json.replaceAll(':{', ' : { ').replace('{"tool', '{\n  "tool'), '', 1],
    ['not closed', json.slice(0, -1), '', 1],
    ['behind a JSON that is none', `{"a":1} ${json}`, '{"a":1} ', 1],
  ]

  test.each(cases)('%s', async (_, text, rest, calls) => {
    for (const size of [1, 2, 3, 5, 17, 1_000]) {
      const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
      const answer = await read(pieces)
      expect(answer.text).toBe(rest)
      expect(answer.calls).toHaveLength(calls)
      for (const call of answer.calls) expect(call).toMatchObject(found)
      expect(answer.finish).toBe('tool_calls')
    }
  })

  test.each([
    'Just words, `code` and ``more`` and {braces}.',
    'An example: {"name":"get_weather","arguments":{}}',
    '```js\nconst a = { b: 1 }\n```\nDone.',
    '```json\n{"rows":[{"a":1},{"b":"}"}]}\n```',
    '{"tool_call":null,"reply":"none needed"}',
    '{"tool_call":{"arguments":{}}}',
    '{"text":"say \\"tool_call\\": no"}',
    `{"rows":[${'1,'.repeat(3_000)}1]}`,
    '{ "open": "never closed',
    '{}{}[]{',
    '```',
    '``',
  ])('is not seen in %s', async (text) => {
    for (const size of [1, 4, 1_000_000]) {
      const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
      expect(await read(pieces)).toMatchObject({ text, calls: [], finish: 'stop' })
    }
  })

  test('that was cut for its length is text', async () => {
    const cut = json.slice(0, -1)
    expect(await read([cut], 'length')).toMatchObject({ text: cut, calls: [], finish: 'length' })
  })

  test('holds no words back', async () => {
    const stream = withTextDialect(saying(['It is ', 'warm', ' {', 'in} Köln', ' `x', '` y']))
    const batches: (readonly ModelDelta[])[] = []
    for await (const batch of stream.stream(request, undefined)) batches.push(batch)
    const texts = batches.map((b) => b.map((d) => (d.type === 'text' ? d.text : '')).join(''))
    expect(texts).toEqual(['It is ', 'warm', ' ', '{in} Köln', ' `x', '` y', ''])
  })

  test('begins anew after a restart', async () => {
    const model: ModelPort = {
      ...saying([]),
      async *stream() {
        yield [{ type: 'text', text: '{"tool_call":{"name"' }]
        yield [{ type: 'restart' }]
        yield [
          { type: 'text', text: json },
          { type: 'finish', reason: 'stop' },
        ]
      },
    }
    const answer = await readAnswer(withTextDialect(model).stream(request, undefined))
    expect(answer).toMatchObject({ text: '', calls: [found] })
  })

  test('of a megabyte is read in linear time', async () => {
    const long = JSON.stringify({ tool_call: { name: 'w', arguments: { t: 'x'.repeat(900_000) } } })
    const began = performance.now()
    const { calls } = await read(long.match(/.{1,8}/g) ?? [])
    expect(calls).toHaveLength(1)
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})

describe('what a model without tool calls is sent', () => {
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Rome?' },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'a', name: 'get_weather', arguments: { city: 'Rome' } }],
    },
    { role: 'tool', tool_call_id: 'a', name: 'get_weather', content: 'warm', is_error: false },
  ]

  function sent(given: ModelRequest, results?: 'user'): ModelRequest {
    let seen: ModelRequest | undefined
    const plain = saying([])
    const model: ModelPort = {
      ...plain,
      stream(asked, signal) {
        seen = asked
        return plain.stream(asked, signal)
      },
    }
    withTextDialect(model, { results }).stream(given, undefined)
    return seen as ModelRequest
  }

  test('are calls as JSON and results as role "tool" with name and content [B6.2]', () => {
    const asked = sent({ ...request, messages })
    expect(asked.tools).toEqual([])
    expect(asked.messages[1]).toMatchObject({
      content: 'I look.\n{"tool_call":{"name":"get_weather","arguments":{"city":"Rome"}}}',
      tool_calls: [],
    })
    expect(asked.messages[2]).toMatchObject({ role: 'tool', name: 'get_weather', content: 'warm' })
  })

  test('are the same objects each time, so that their JSON is kept', () => {
    const seen: ModelRequest[] = []
    const plain = saying([])
    const dialect = withTextDialect({
      ...plain,
      stream(asked, signal) {
        seen.push(asked)
        return plain.stream(asked, signal)
      },
    })
    for (let i = 0; i < 2; i += 1) dialect.stream({ ...request, messages }, undefined)
    expect(seen[1]?.messages[1]).toBe(seen[0]?.messages[1])
    expect(seen[1]?.messages[1]).not.toBe(messages[1])
  })

  test('are results in words of the user where the wire knows no other', () => {
    expect(sent({ ...request, messages }, 'user').messages[2]).toEqual({
      role: 'user',
      content: '{"role":"tool","name":"get_weather","content":"warm"}',
    })
  })

  test('are the tools and the choice, and nothing of them where there are none', () => {
    const system = sent({ ...request, system: 'Be kind.', toolChoice: 'required' }).system
    expect(system).toMatch(/^Be kind\.\n\n.*"get_weather".*"tool_call".*must call a tool/s)
    expect(sent({ ...request, system: 'Be kind.', toolChoice: 'none' }).system).toBe('Be kind.')
    expect(sent(ask('hi')).system).toBe('')
  })
})

describeWires('a provider whose model writes its calls', ({ model, standIn }) => {
  test('calls tools and reads their results [B6.1] [B6.2]', async () => {
    const talker = withTextDialect(model('standin-textcalls-tools1-par2'))
    const first = ask('Paris', { tools: [weather] })
    const answer = await readAnswer(talker.stream(first, undefined))
    expect(answer.text).toBe('')
    expect(answer.calls.map(({ name, arguments: args }) => [name, args])).toEqual([
      ['get_weather', {}],
      ['get_weather', {}],
    ])
    const calls = answer.calls.map(({ id, name }) => ({ id, name, arguments: {} }))
    const results = calls.map(({ id, name }, i): ModelMessage => {
      return { role: 'tool', tool_call_id: id, name, content: `warm ${i}`, is_error: false }
    })
    const messages = [
      ...first.messages,
      { role: 'assistant', content: '', tool_calls: calls } as const,
      ...results,
    ]
    const { text } = await readAnswer(talker.stream({ ...first, messages }, undefined))
    expect(text).toContain('warm 0')
    expect(text).toContain('warm 1')
    expect(standIn().requests.at(-1)?.tools).toEqual([])
  })
})
