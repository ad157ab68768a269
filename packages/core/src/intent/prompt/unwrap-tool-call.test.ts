import { expect, test } from 'vitest'
import { unwrapToolCall } from './unwrap-tool-call.ts'

test.each<[string, unknown, unknown]>([
  ['its object', { orderId: 'o1' }, { orderId: 'o1' }],
  ['JSON in a string', '{"orderId":"o1"}', { orderId: 'o1' }],
  ['nothing', undefined, {}],
])('a call of call_tool with %s as arguments is one of the tool it names', (_, given, args) => {
  const call = { name: 'call_tool', args: { name: 'mall_order', arguments: given } }
  expect(unwrapToolCall(call)).toEqual({ name: 'mall_order', args })
})

test.each([
  ['of another tool', { name: 'mall_order', args: { name: 'x', arguments: {} } }],
  ['without arguments', { name: 'call_tool', args: undefined }],
  ['without a name', { name: 'call_tool', args: { arguments: {} } }],
  ['with a list', { name: 'call_tool', args: { name: 'x', arguments: [] } }],
  ['with broken JSON', { name: 'call_tool', args: { name: 'x', arguments: '{' } }],
])('a call %s stays what it is', (_, call) => {
  expect(unwrapToolCall(call)).toBeUndefined()
})
