import { expect, test } from 'vitest'
import { toFigures } from './to-figures.ts'

const lost = { lostEvents: 0, doubleEffects: 0, missingEffects: 0, undecidedEffects: 0 }
const kills = {
  ...{ made: '2026-11-18', database: 'mysql', kills: 340, effects: 2_010, ...lost },
  ...{ lostDecisions: 0, refusedCalls: 0, children: { atKills: 900, orphans: 0 } },
}

test('a long run is told with how often, on what, what was lost, and its day', () => {
  const table = toFigures({ 'kills-mysql': kills })
  expect(table).toContain(
    '| mysql | 340 kills, 2,010 effects, 900 child processes at the kills | nothing | 2026-11-18 |',
  )
})

test('what was lost, or is not told, is not passed over', () => {
  const { lostDecisions: _, ...rest } = kills
  const table = toFigures({ 'kills-mysql': { ...rest, doubleEffects: 2 } })
  expect(table).toContain('| **2 effects twice, not told: decisions lost** |')
})

test('shares of other runs are left out, and none give no table', () => {
  expect(toFigures({ other: { made: '2026-11-18' } })).toBe('')
  expect(toFigures({})).toBe('')
})
