import type { HostileTransport } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { casesOn } from './test-mode-cases.ts'
import { play, shortTimeoutMs } from './test-play.ts'
import { type HostileEra, openStage, type Stage } from './test-stage.ts'
import { countHandles, expectFreeLoop, expectNoHandlesBeyond, tell } from './test-watch.ts'

/**
 * Every mode over one transport, beside a good server of the same manager: the outcome is the right
 * one and in time, nothing is done twice, the good server does not notice, nothing is left behind.
 */
export function describeModes(transport: HostileTransport, era: HostileEra = 'legacy'): void {
  describe(`a hostile server of the ${era} era over ${transport}`, () => {
    let stage: Stage
    beforeAll(async () => {
      stage = await openStage(transport, era)
    })
    afterAll(() => stage[Symbol.asyncDispose]())

    test.each(casesOn(transport, era))('$mode ends with $outcomes', async (modeCase) => {
      const before = countHandles()
      const seen = await play(stage, modeCase, modeCase.outcomes)
      expect(modeCase.outcomes).toContain(seen.outcome)
      expectInTime(seen.outcome, seen.tookMs)
      expect(seen.effects).toBeLessThanOrEqual(1)
      expect(seen.good.failures).toEqual([])
      expectFreeLoop(seen.loopMs)
      await expectNoHandlesBeyond(before)
      const figures = { took: seen.tookMs, loop: seen.loopMs, good: seen.good.slowestMs }
      tell(`${modeCase.mode} over ${transport}`, figures)
    })
  })
}

/** What is not a matter of waiting is there long before any deadline. */
function expectInTime(outcome: string, tookMs: number): void {
  const isTimeout = outcome.endsWith('timeout')
  if (isTimeout) expect(tookMs).toBeGreaterThan(shortTimeoutMs - 50)
  expect(tookMs).toBeLessThan(isTimeout ? 5 * shortTimeoutMs : 15_000)
}
