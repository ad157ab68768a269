import { expect, test } from 'vitest'
import type { Growth } from '../growth/growth.ts'
import { assumed, carryOn, findBreaks } from './arithmetic.ts'
import { fill, fillScalePages, readScaleFigures } from './scale-page.ts'

test('the pages have the figures of the files', async () => {
  for (const { is, shallBe } of await fillScalePages(await readScaleFigures())) {
    expect(is).toBe(shallBe)
  }
})

test('a page with another figure is found', async () => {
  const figures = await readScaleFigures()
  const [first, ...others] = figures.growth.tools
  const tools = [{ ...first!, cpu: first!.cpu + 1 }, ...others]
  const pages = await fillScalePages({ ...figures, growth: { ...figures.growth, tools } })
  expect(pages.map(({ is, shallBe }) => is === shallBe)).toEqual([false, false])
})

test('a page without a place for a table is refused', () => {
  expect(() => fill('# A page', { calls: '| a |' })).toThrow('no place for "calls"')
})

test('what was measured is carried on by plain arithmetic', () => {
  const stores = { writes: 2, walBytes: 10, logBytes: 1_000, auditBytes: 500, redisCommands: 4 }
  const cost = { least: 1, most: 1, stores: { ...stores, databaseCpu: 1_000, redisCpu: 100 } }
  const growth = {
    nodes: [{ ...cost, count: 1, cpu: 1_000, residentMb: 1, sessionKb: 1 }],
    turns: [
      { ...cost, words: 10, cpu: 1_000 },
      { ...cost, words: 1_010, cpu: 11_000 },
    ],
    sockets: { count: 1, socketKb: 50 },
  } as unknown as Growth
  const given = { ...assumed, users: 3_600_000, activeShare: 0.1, turns: 10, words: 510 }
  const needs = carryOn(growth, given)
  expect(needs).toMatchObject({
    ...{ turnsPerSecond: 1_000, turnCpu: 6_000, callCpu: 1_000, nodeCores: 7, sockets: 360_000 },
    ...{ runningTurns: 10_000, processes: 50, databaseConnections: 500, writesPerSecond: 4_000 },
    ...{ socketBytes: 18e9, redisCores: 0.2, logBytesPerDay: 57.6e9 },
  })
  const [first, second] = findBreaks(needs, 8_000)
  expect([first?.at, second?.at]).toEqual(['runningTurns', 'connections'])
})
