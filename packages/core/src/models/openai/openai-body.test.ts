import { describe, expect, test } from 'vitest'
import type { ModelMessage, ModelRequest } from '../contract.ts'
import { createOpenAiBody } from './openai-body.ts'

const create = () => {
  const toBody = createOpenAiBody({ model: 'gpt', limitField: 'max_tokens', extra: { user: 'u' } })
  return (asked: ModelRequest) => toBody(asked).toString()
}

const messages: ModelMessage[] = [
  { role: 'user', content: 'Grüße "x"' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'a', name: 'look', arguments: { n: 1 } }],
    reasoning: [{ text: 'Hm' }],
  },
  { role: 'tool', tool_call_id: 'a', name: 'look', content: '你好', is_error: false },
]
const tools = [{ name: 'look', description: 'd', parameters: { type: 'object' } }]
const request: ModelRequest = { system: 'Be kind.', messages, tools }

describe('a chat completions request', () => {
  test('says it all as the API wants it', () => {
    expect(JSON.parse(create()({ ...request, maxTokens: 5, extra: { seed: 1 } }))).toEqual({
      model: 'gpt',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 5,
      user: 'u',
      seed: 1,
      tools: [{ type: 'function', function: tools[0] }],
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Grüße "x"' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'look', arguments: '{"n":1}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', name: 'look', content: '你好' },
      ],
    })
  })

  test('is the same the second time, with what was added', () => {
    const toBody = create()
    const first = toBody(request)
    expect(toBody(request)).toEqual(first)
    const more = [...messages, { role: 'user', content: 'And?' } as const]
    expect(JSON.parse(toBody({ ...request, messages: more })).messages).toHaveLength(5)
    expect(JSON.parse(toBody({ ...request, system: '' })).messages).toHaveLength(3)
    expect(JSON.parse(toBody({ ...request, tools: [] })).tools).toBeUndefined()
  })

  test('of a long history costs less than its JSON', () => {
    const long = Array.from({ length: 3_000 }, (_, i): ModelMessage => {
      return { role: 'user', content: `Message ${i} ${'"quoted" words '.repeat(20)}` }
    })
    const toBody = createOpenAiBody({ model: 'gpt', limitField: 'max_tokens', extra: undefined })
    const asked = { ...request, messages: long }
    toBody(asked)
    const own = shortest(() => toBody(asked))
    const plain = shortest(() => Buffer.from(JSON.stringify(asked)))
    expect(own).toBeLessThan(plain)
  })
})

function shortest(work: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 15; i += 1) {
    const began = performance.now()
    work()
    best = Math.min(best, performance.now() - began)
  }
  return best
}
