import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createTestScreen, linesOf, themes } from '../input/test-screen.ts'
import { createApprovalQueue } from './approval-queue.ts'
import { deleteOrders } from './test-approval.ts'

function open() {
  const clock = createFakeClock()
  const told: string[] = []
  const queue = createApprovalQueue({
    theme: themes.plain,
    lang: 'en',
    clock,
    screen: createTestScreen(),
    acknowledgement: { isGiven: () => true, give() {} },
    onDecide: (id, { kind }, others) => told.push([id, kind, ...others].join(' ')),
    onClosed: (id, line) => told.push(`${id} ${line}`),
    onChange: () => told.push(`${queue.size} left`),
  })
  queue.focused = true
  const add = (approval_id: string, name: string, expiresInMs?: number) =>
    queue.add({
      approval_id,
      request: { ...deleteOrders, name },
      expires_at: expiresInMs === undefined ? undefined : clock.now() + expiresInMs,
    })
  const press = (key: string) => {
    clock.advance(1000)
    queue.handleInput(key)
  }
  return { queue, clock, told, add, press }
}

const titleOf = (lines: string[]) => lines[0]?.slice(2)

test('asks one after the other and tells which of how many [D3.6]', () => {
  const { queue, told, add, press } = open()
  expect(queue.render(80)).toEqual([])
  for (const name of ['one', 'two', 'three']) add(`id-${name}`, name)
  add('id-one', 'one')
  expect(titleOf(linesOf(queue))).toBe('Allow one on orders? · 1 of 3')
  press('y')
  expect(titleOf(linesOf(queue))).toBe('Allow two on orders? · 2 of 3')
  press('n')
  expect(titleOf(linesOf(queue))).toBe('Allow three on orders? · 3 of 3')
  press('n')
  expect(queue.render(80)).toEqual([])
  expect(queue.size).toBe(0)
  expect(told.filter((line) => line.startsWith('id'))).toEqual([
    'id-one once',
    'id-two reject',
    'id-three reject',
  ])
})

test('the key that answered one does not answer the next', () => {
  const { queue, told, add, press } = open()
  add('a', 'one')
  add('b', 'two')
  press('y')
  queue.handleInput('y')
  expect(told).not.toContain('b once')
})

test('what is answered for a tool or for all is meant for those that wait, in one answer', () => {
  const { queue, told, add, press } = open()
  add('a', 'same')
  add('b', 'other')
  add('c', 'same')
  add('d', 'third')
  press('s')
  expect(told.slice(-2)).toEqual(['2 left', 'a tool c'])
  press('a')
  expect(told.slice(-2)).toEqual(['0 left', 'b all d'])
  add('b', 'other')
  expect(titleOf(linesOf(queue))).toBe('Allow other on orders?')
})

test('one that waits behind is closed without a sign, the first gives way to the next', () => {
  const { queue, told, add } = open()
  for (const name of ['one', 'two', 'three']) add(name, name)
  queue.close('two', 'allowed')
  queue.close('one', 'withdrawn')
  queue.close('gone', 'expired')
  expect(told).toContain('two two: was allowed elsewhere.')
  expect(told).toContain('one one: is no longer asked for.')
  expect(titleOf(linesOf(queue))).toMatch(/^Allow three/)
})

test('one that expires is followed by the next, and nothing ticks at the end', () => {
  const { queue, clock, told, add } = open()
  add('a', 'one', 2000)
  add('b', 'two', 1000)
  add('c', 'three', 60_000)
  clock.advance(2500)
  expect(titleOf(linesOf(queue))).toMatch(/^Allow one/)
  for (const id of ['b', 'a']) queue.close(id, 'expired')
  expect(told.filter((line) => line.includes('in time'))).toHaveLength(2)
  expect(titleOf(linesOf(queue))).toMatch(/^Allow three/)
  queue[Symbol.dispose]()
  expect(clock.pending()).toBe(0)
})
