import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ModelMessage, ModelRequest, ModelTool } from '../contract.ts'
import { respond } from './respond.ts'
import { ask, ownTools, shopTools } from './test-conversation.ts'

const phrase = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    ...[
      '查一下',
      '订单',
      'order-0042',
      'use the',
      'run_query',
      '工具',
      '记住',
      'to use `x` I still need: `y`',
    ],
    ...[
      '{"a":1}',
      '"quoted',
      'a=b',
      '：',
      '\n- x: y',
      '`describe_tool`',
      '待办：',
      '2026-01-01',
      '前 5 条',
    ],
  ),
)
const text = fc.array(phrase, { maxLength: 8 }).map((parts) => parts.join(' '))
const name = fc.oneof(
  fc.constantFrom('search_tools', 'describe_tool', 'call_tool', 'remember', 'mall_order_list'),
  fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/),
)
const schema = fc.oneof(
  fc.constant({}),
  fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Record<string, unknown>>,
  fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue()),
    required: fc.array(fc.string({ maxLength: 12 })),
  }),
)
const tool: fc.Arbitrary<ModelTool> = fc.record({ name, description: text, parameters: schema })
const call = fc.record({ id: fc.constantFrom('1', '2'), name, arguments: schema })
const content = fc.oneof(text, fc.json())
const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), content }),
  fc.record({
    role: fc.constant('assistant' as const),
    content,
    tool_calls: fc.array(call, { maxLength: 3 }),
  }),
  fc.record({
    role: fc.constant('tool' as const),
    tool_call_id: fc.constantFrom('1', '2'),
    name,
    content,
    is_error: fc.boolean(),
  }),
)
const request: fc.Arbitrary<ModelRequest> = fc.record({
  system: text,
  messages: fc.array(message, { maxLength: 8 }),
  tools: fc.oneof(fc.array(tool, { maxLength: 5 }), fc.constant([...ownTools, ...shopTools])),
  toolChoice: fc.constantFrom('auto' as const, 'none' as const, 'required' as const, undefined),
})

test('any request ends with finish, and the same one in the same way', async () => {
  await fc.assert(
    fc.asyncProperty(request, async (asked) => {
      expect(() => respond(asked)).not.toThrow()
      const { deltas, calls } = await ask(asked)
      const reason = calls.length > 0 ? 'tool_calls' : 'stop'
      expect(deltas.at(-1)).toEqual({ type: 'finish', reason })
      expect(deltas.filter(({ type }) => type === 'finish')).toHaveLength(1)
      expect(deltas.length).toBeGreaterThan(2)
      expect((await ask(asked)).deltas).toEqual(deltas)
    }),
    { numRuns: 300 },
  )
})

describe('a long message does not hold it up', () => {
  test.each([
    'a',
    '{',
    '"',
    '用',
    '用 a_b ',
    'a.b/',
    'order-1 ',
    '`',
    '- x: ',
    ': ',
    '1 ',
    'a@',
    '\n',
    '：',
    '请',
    '把 a.txt 里的 x 改成 y',
    '把 x 写入 ',
    '读取笔记.',
    '用 shell 运行 “',
    'replace a with b in ',
  ])('of %j', async (unit) => {
    const content = unit.repeat(100_000)
    const start = performance.now()
    await ask({
      system: content,
      messages: [{ role: 'user', content }],
      tools: [...shopTools, ...ownTools],
    })
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
