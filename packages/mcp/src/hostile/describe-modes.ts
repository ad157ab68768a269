import type { HostileMode, HostileTransport } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { casesOn, type PlayedCase } from './test-mode-cases.ts'
import { play, shortTimeoutMs } from './test-play.ts'
import { type HostileEra, openStage, type Stage } from './test-stage.ts'
import { countHandles, expectFreeLoop, expectNoHandlesBeyond, tell } from './test-watch.ts'

/** The rows of the table of faults that a mode is about. */
const carried: Partial<Record<HostileMode, string>> = {
  crash_mid_call: '[F1]',
  hang: '[F2]',
  garbage_binary: '[F3]',
  garbage_answer: '[F3]',
  wrong_id: '[F4]',
  duplicate_id: '[F4]',
  big_message: '[F5]',
  stderr_flood: '[F6]',
  drip: '[F7]',
  list_changes_mid_call: '[F12]',
  cut_in_answer: '[F9]',
}

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

    test.each(casesOn(transport, era).map(toTitled))('%s', async (_, modeCase) => {
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

function toTitled(modeCase: PlayedCase): [title: string, PlayedCase] {
  const { mode, outcomes } = modeCase
  return [
    [mode, 'ends with', outcomes.join(' or '), carried[mode]].filter(Boolean).join(' '),
    modeCase,
  ]
}

/** What is not a matter of waiting is there long before any deadline. */
function expectInTime(outcome: string, tookMs: number): void {
  const isTimeout = outcome.endsWith('timeout')
  if (isTimeout) expect(tookMs).toBeGreaterThan(shortTimeoutMs - 50)
  expect(tookMs).toBeLessThan(isTimeout ? 5 * shortTimeoutMs : 15_000)
}
