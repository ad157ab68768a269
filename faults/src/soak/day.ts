import { waitFor } from '@dataagent/testkit'
import { countClients, type Reading, takeReading } from './reading.ts'
import type { Scene } from './scene.ts'
import { doRound } from './work.ts'

export interface DayOptions {
  rounds: number
  /** How often each kind of work is done in a round. */
  times: number
  /** Told after each round; the first has number 1. */
  onReading(reading: Reading, round: number): void | Promise<void>
}

/** Rounds of equal work, with a reading after each. */
export async function spendDay(scene: Scene, options: DayOptions): Promise<void> {
  for (let round = 1; round <= options.rounds; round += 1) {
    await doRound(scene, options.times)
    await options.onReading(await readInQuiet(scene), round)
  }
}

/** Once no client is connected any more; where some stay, with them. */
async function readInQuiet({ measured }: Scene): Promise<Reading> {
  const isQuiet = async () => (await countClients(measured)) === 0
  await waitFor(isQuiet, { timeoutMs: 10_000, intervalMs: 50 }).catch(() => {})
  return takeReading(measured)
}
