import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { UpstreamKey } from './contract.ts'
import { createNoticeBoard } from './notice-board.ts'

const keyOf = (tenant_id: string, server_id = 'a'): UpstreamKey => ({
  ...{ tenant_id, server_id, user_id: null },
})
const updated = (uri: string) => ({ kind: 'resource_updated', uri }) as const

function createTestBoard() {
  const clock = createFakeClock()
  const told = new Map<string, number>()
  const board = createNoticeBoard({
    clock,
    pass: ({ tenant_id }) => told.set(tenant_id, (told.get(tenant_id) ?? 0) + 1),
  })
  return { clock, told, board }
}

test('a server that tells too much silences itself, and no other', () => {
  const { clock, told, board } = createTestBoard()
  for (let n = 0; n < 10_000; n++) board.post(keyOf('loud'), updated(`x:${n}`))
  board.post(keyOf('quiet'), { kind: 'prompts_changed' })
  expect(told.get('quiet')).toBe(1)
  expect(told.get('loud')).toBeGreaterThan(1_000)
  expect(told.get('loud')).toBeLessThan(2_000)
  clock.advance(100)
  board.post(keyOf('loud'), updated('once more'))
  expect(told.get('loud')).toBeLessThan(2_001)
})

test('many servers that tell too much leave each other one its share', () => {
  const { clock, told, board } = createTestBoard()
  const long = 'x'.repeat(32 * 1024)
  const flood = () => {
    for (let server = 0; server < 100; server++) {
      for (let n = 0; n < 20; n++) board.post(keyOf('loud', `${server}`), updated(`${n}:${long}`))
    }
  }
  flood()
  const most = told.get('loud') ?? 0
  expect(most * long.length).toBeLessThan(32 * 1024 * 1024)
  for (let n = 0; n < 1_000; n++) board.post(keyOf('quiet'), updated(`x:${n}`))
  expect(told.get('quiet')).toBeGreaterThan(20)
  expect(told.get('quiet')).toBeLessThan(100)
  clock.advance(100)
  flood()
  expect(told.get('loud')).toBe(2 * most)
})

test('a notice that is too long to keep is not passed on', () => {
  const { told, board } = createTestBoard()
  board.post(keyOf('long'), updated('x'.repeat(1024 * 1024)))
  expect(told.size).toBe(0)
})

test('the same is told at once, and then once more however often it was', () => {
  const { clock, told, board } = createTestBoard()
  for (let n = 0; n < 1_000; n++) board.post(keyOf('a'), updated('x'))
  expect(told.get('a')).toBe(1)
  clock.advance(100)
  expect(told.get('a')).toBe(2)
  clock.advance(1_000)
  expect(told.get('a')).toBe(2)
})
