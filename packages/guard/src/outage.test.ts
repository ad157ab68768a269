import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createOutage, type OutageOptions } from './outage.ts'

function setUp(given: Pick<OutageOptions, 'isBack'> = {}) {
  const clock = createFakeClock()
  const lines: string[] = []
  const onLog: OutageOptions['onLog'] = ({ level, message }) => lines.push(`${level} ${message}`)
  const outage = createOutage({ away: 'it is away', back: 'it is back', clock, onLog, ...given })
  return { clock, lines, outage }
}

test('an outage is one line when it begins and one when it is over', async () => {
  const { clock, lines, outage } = setUp()
  outage.worked()
  for (let second = 0; second < 7; second += 1) {
    outage.failed(new Error('away'))
    await clock.advance(1_000)
  }
  outage.worked()
  outage.worked()
  expect(lines).toEqual(['error it is away', 'info it is back after 7 s'])
})

test('where nobody says that it is over, it is looked for', async () => {
  let isBack = false
  const { clock, lines, outage } = setUp({ isBack: () => isBack })
  outage.failed(new Error('away'))
  await clock.advance(7_000)
  expect(lines).toEqual(['error it is away'])
  isBack = true
  await clock.advance(1_000)
  expect(lines[1]).toMatch(/^info it is back after [78] s$/)
  outage.failed(new Error('away'))
  outage.close()
  await clock.advance(10_000)
  expect(lines).toHaveLength(3)
})
