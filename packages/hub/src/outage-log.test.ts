import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createOutageLog } from './outage-log.ts'

test('an outage is one line when it begins and one when it is over', () => {
  const clock = createFakeClock()
  const lines: string[] = []
  const outages = createOutageLog({ onLog: ({ message }) => lines.push(message), clock })
  let isBack = false
  for (let second = 0; second < 7; second += 1) {
    outages.away(new Error('away'), () => isBack)
    clock.advance(1_000)
  }
  expect(lines).toEqual([expect.stringContaining('every call is denied')])
  isBack = true
  clock.advance(1_000)
  expect(lines).toEqual([
    expect.anything(),
    expect.stringMatching(/^the store is back after [78] s$/),
  ])
  outages.away(new Error('away'), () => isBack)
  outages.close()
  clock.advance(10_000)
  expect(lines).toHaveLength(3)
})
