import { expect, test } from 'vitest'
import { holds } from './jump.ts'
import type { ToolPart } from './log/turn.ts'

const tool = (tool_call_id: string, parts: ToolPart[] = []) =>
  ({ kind: 'tool', tool_call_id, parts }) as Partial<ToolPart> as ToolPart
const parts = [tool('call_1'), tool('call_2', [tool('call_3')])]

test.each(['call_1', 'call_3'])('%s is found in its turn, a helper made it or not', (id) => {
  expect(holds({ turn_key: '4', parts }, { turn_key: '4', tool_call_id: id })).toBe(true)
})

test('a call of the same id in another turn is another call', () => {
  expect(holds({ turn_key: '9', parts }, { turn_key: '4', tool_call_id: 'call_1' })).toBe(false)
})

test('nothing is wanted where nobody jumps', () => {
  expect(holds({ turn_key: '4', parts }, undefined)).toBe(false)
})
