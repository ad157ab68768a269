import { chosenCount, longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { spendDay } from './day.ts'
import { type Bound, judge, type Verdict } from './judge.ts'
import type { Reading } from './reading.ts'
import { openScene } from './scene.ts'

/** Rounds until all that is made once and kept is there: caches, compiled code, connections. */
const warmUp = longCount(1, 30)
const rounds = chosenCount('TEST_ROUNDS', 2, 240)
const times = longCount(1, 2)
const toldEvery = longCount(1, 10)

const kibibyte = 1024
const mebibyte = kibibyte * kibibyte
const bounds: Readonly<Record<string, Bound>> = {
  heap: { perRound: longCount(1_024, 24) * kibibyte, slack: mebibyte },
  external: { perRound: longCount(1_024, 24) * kibibyte, slack: mebibyte },
  // Of all threads, with what the allocator keeps for later.
  resident: { perRound: longCount(8_192, 64) * kibibyte, slack: 16 * mebibyte },
}
/** What is counted does not grow. */
const counted: Bound = { perRound: 0, slack: longCount(12, 3) }
/** A dozen come and go by the second: of what was under way a moment ago, or is renewed. */
const passing: Bound = { perRound: 0, slack: 12 }
const boundOf = (name: string) =>
  bounds[name] ?? (['timers', 'signals'].includes(name) ? passing : counted)

test(`a day of ${warmUp + rounds} rounds of mixed work leaves memory, handles, timers, processes and connections flat [F32]`, {
  timeout: 60_000 + (warmUp + rounds) * 30_000,
}, async () => {
  await using scene = await openScene()
  const readings: Reading[] = []
  await spendDay(scene, {
    ...{ rounds: warmUp + rounds, times },
    onReading(reading, round) {
      if (round > warmUp) readings.push(reading)
      if (round % toldEvery === 0) process.stdout.write(`round ${round}: ${toLine(reading)}\n`)
    },
  })
  const verdicts = judge(toSeries(readings), boundOf)
  process.stdout.write(`${verdicts.map(toText).join('\n')}\n`)
  expect(verdicts.filter(({ isFlat }) => !isFlat)).toEqual([])
})

/** What some reading does not name it has none of. */
function toSeries(readings: readonly Reading[]): Map<string, number[]> {
  const names = new Set(readings.flatMap((reading) => Object.keys(reading)))
  return new Map([...names].map((name) => [name, readings.map((one) => one[name] ?? 0)]))
}

function toLine(reading: Reading): string {
  const parts = Object.entries(reading).map(([name, value]) => `${name} ${toFigure(name, value)}`)
  return parts.join(', ')
}

function toText({ name, first, last, perRound, isFlat }: Verdict): string {
  const inAll = perRound * (warmUp + rounds)
  const [before, after, growth] = [first, last, inAll].map((value) => toFigure(name, value))
  return `${isFlat ? 'flat ' : 'GROWS'} ${name}: ${before} → ${after}, in the whole day ${growth}`
}

function toFigure(name: string, value: number): string {
  return name in bounds ? `${(value / mebibyte).toFixed(3)} MiB` : String(Number(value.toFixed(2)))
}
