import { expect, test } from 'vitest'
import type { Growth } from '../growth/growth.ts'
import { assumed, carryOn, findBreaks } from './arithmetic.ts'
import { toBlocks } from './blocks.ts'
import { fill, fillScalePages, readScaleFigures } from './scale-page.ts'
import { english } from './texts.ts'

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

const times = (p99: number) => ({ count: 1_000, p50: 1, p99, most: p99 })
const load = (perSecond: number) => ({
  ...{ perSecond, seconds: 10, asked: perSecond * 10, answered: 3_000, shed: 0 },
})

test('cancels and a tenant beside another are told with the load that there was', async () => {
  const made = '2026-11-19'
  const beside = { runningTurns: 16, alone: times(40), flooded: times(60), refused: 2, ratio: 1.5 }
  const figures = {
    ...(await readScaleFigures()),
    load: {
      cancel: {
        ...{ made, capacity: 300, quiet: times(16.4) },
        atFourFifths: { load: load(240), times: times(78) },
        atThreeTimes: { load: load(900), times: times(1_525) },
      },
      neighbour: { made, perSecond: 5, limits: [{ ...beside, flood: load(500) }] },
    },
  }
  const rows = toBlocks(figures, english).load?.split('\n') ?? []
  expect(rows[0]).toBe('Measured on 2026-11-19.')
  expect(rows.slice(4)).toMatchObject([
    expect.stringMatching(/of 1,000 each: in peace \| 16 ms \|/),
    expect.stringMatching(/240 turns are asked for in each second \| 78 ms \| 250 ms \|/),
    expect.stringMatching(/900 are .* 300 answered \| 1,525 ms \| 1,000 ms \|/),
    expect.stringMatching(
      /500 a second and is answered 300, .* 16 turns .* 40 \/ 60 ms, 1\.5 times/,
    ),
  ])
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
