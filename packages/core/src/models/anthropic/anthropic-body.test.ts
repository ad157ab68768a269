import { describe, expect, test } from 'vitest'
import type { ModelMessage, ModelRequest } from '../contract.ts'
import { createAnthropicBody } from './anthropic-body.ts'

const toBody = createAnthropicBody({ model: 'claude', maxTokens: 1_000, extra: undefined })
const read = (request: Partial<ModelRequest>) =>
  JSON.parse(toBody({ system: '', messages: [], tools: [], ...request }).toString())

const mark = { cache_control: { type: 'ephemeral' } }
const user = (content: string): ModelMessage => ({ role: 'user', content })
const assistant = (content: string, ids: string[] = []): ModelMessage => ({
  role: 'assistant',
  content,
  tool_calls: ids.map((id) => ({ id, name: 'look', arguments: { id } })),
})
const result = (tool_call_id: string, is_error = false): ModelMessage => ({
  role: 'tool',
  tool_call_id,
  name: 'look',
  content: `found ${tool_call_id}`,
  is_error,
})

describe('a messages request', () => {
  test('has the results of one answer and the words behind them in one message', () => {
    const { messages } = read({
      messages: [
        user('Go'),
        assistant('', ['a', 'b']),
        result('b'),
        result('a', true),
        user('And?'),
      ],
    })
    expect(messages.map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ])
    expect(messages[2].content).toEqual([
      { type: 'tool_result', tool_use_id: 'b', content: 'found b' },
      { type: 'tool_result', tool_use_id: 'a', content: 'found a', is_error: true },
      { type: 'text', text: 'And?', ...mark },
    ])
  })

  test('sends sealed and hidden thoughts back, before what followed them, and no others', () => {
    const message: ModelMessage = {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'a', name: 'look', arguments: { x: 1 } }],
      reasoning: [{ text: 'Hm', signature: 's' }, { text: '', redacted: 'r' }, { text: 'open' }],
    }
    expect(read({ messages: [user('Go'), message, result('a')] }).messages[1].content).toEqual([
      { type: 'thinking', thinking: 'Hm', signature: 's' },
      { type: 'redacted_thinking', data: 'r' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'a', name: 'look', input: { x: 1 } },
    ])
  })

  test('marks the system, the end of the request before and its own end for keeping', () => {
    const body = read({
      system: 'Be kind.',
      messages: [user('1'), assistant('2'), user('3'), assistant('4', ['a']), result('a')],
    })
    expect(body.system).toEqual([{ type: 'text', text: 'Be kind.', ...mark }])
    const marked = body.messages.map(({ content }: { content: object[] }) => {
      return content.some((block) => 'cache_control' in block)
    })
    expect(marked).toEqual([false, false, true, false, true])
  })

  test('sends no empty text, and begins with the user', () => {
    const { messages, system } = read({ messages: [assistant('Hello'), user(' '), assistant(' ')] })
    expect(system).toBeUndefined()
    expect(messages.map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ])
    for (const { content } of messages) expect(content[0].text.trim()).not.toBe('')
  })

  test('lets thoughts have their budget', () => {
    const thinking = { type: 'enabled', budget_tokens: 5_000 }
    const body = read({ messages: [user('Go')], extra: { thinking }, temperature: 1 })
    expect(body).toMatchObject({ max_tokens: 6_000, thinking })
    expect(body.temperature).toBeUndefined()
  })

  test("takes ids of other models' calls", () => {
    const { messages } = read({ messages: [user('Go'), assistant('', ['a:b']), result('a:b')] })
    const [use] = messages[1].content
    expect(use.id).toMatch(/^[\w-]+$/)
    expect(messages[2].content[0].tool_use_id).toBe(use.id)
  })

  test('names the choice', () => {
    const tools = [{ name: 'look', description: 'd', parameters: { type: 'object' } }]
    const choice = (toolChoice: ModelRequest['toolChoice']) =>
      read({ messages: [user('Go')], tools, toolChoice }).tool_choice
    expect(choice('required')).toEqual({ type: 'any' })
    expect(choice('none')).toEqual({ type: 'none' })
    expect(choice({ name: 'look' })).toEqual({ type: 'tool', name: 'look' })
  })
})
