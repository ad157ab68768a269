import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAnthropicBody } from './anthropic/anthropic-body.ts'
import type { ModelMessage, ModelRequest } from './contract.ts'
import { createOpenAiBody } from './openai/openai-body.ts'

const makers = {
  openai: () => createOpenAiBody({ model: 'm', limitField: 'max_tokens', extra: undefined }),
  anthropic: () => createAnthropicBody({ model: 'm', maxTokens: 9, extra: undefined }),
}

const message = fc.oneof(
  fc.record({ role: fc.constant('user' as const), content: fc.string({ unit: 'grapheme' }) }),
  fc.record({
    role: fc.constant('assistant' as const),
    content: fc.constantFrom('', ' ', 'Hi "x"'),
    tool_calls: fc.constantFrom([], [{ id: 'a', name: 'one', arguments: { x: '你好' } }]),
  }),
  fc.record({
    role: fc.constant('tool' as const),
    tool_call_id: fc.constant('a'),
    name: fc.constant('one'),
    content: fc.string(),
    is_error: fc.boolean(),
  }),
)
const history = fc.array(message, { maxLength: 150, size: 'max' })

describe.each(['openai', 'anthropic'] as const)('a history that is sent again (%s)', (wire) => {
  test('is the same as one that is sent for the first time, as it grows and changes', () => {
    fc.assert(
      fc.property(history, history, fc.nat(), (messages, others, at) => {
        const cut = at % (messages.length + 1)
        const kept = makers[wire]()
        for (const list of [
          messages.slice(0, cut),
          messages,
          [...messages, ...others],
          [...messages.slice(0, cut), ...others],
          messages.slice(cut),
          messages,
        ]) {
          expect(read(kept, list)).toEqual(read(makers[wire](), list))
        }
      }),
      { numRuns: 40 },
    )
  })

  test('has every message once', () => {
    const messages = Array.from({ length: 200 }, (_, i): ModelMessage => {
      if (i % 2 === 0) return { role: 'user', content: `message ${i}` }
      return { role: 'assistant', content: `message ${i}`, tool_calls: [] }
    })
    const sent = read(makers[wire](), messages).messages as unknown[]
    expect(sent).toHaveLength(200)
    for (const [i, one] of sent.entries()) expect(JSON.stringify(one)).toContain(`message ${i}"`)
  })
})

function read(toBody: (request: ModelRequest) => Buffer, messages: readonly ModelMessage[]) {
  return JSON.parse(toBody({ system: '', messages, tools: [] }).toString())
}
