import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { growingAnswer, historyLines } from './answer.ts'
import type { Drawing, StreamReport, StreamSetting } from './contract.ts'

/** From when the history is there until the first update: frames that still follow it are drawn. */
export const restMs = 200

/** Draws the answer at its pace, and reports what that has cost. Ends the process. */
export async function runStream(drawing: Drawing, setting: StreamSetting): Promise<void> {
  const { history, updates, paceMs, report } = setting
  await drawing.addHistory(historyLines(history))
  const before = process.cpuUsage()
  const start = performance.now()
  for (const answer of growingAnswer(updates)) {
    drawing.update(answer)
    await sleep(paceMs)
  }
  await drawing.end()
  const { user, system } = process.cpuUsage(before)
  const spent: StreamReport = { wall: (performance.now() - start) * 1000, cpu: user + system }
  writeFileSync(report, JSON.stringify(spent))
  process.exit(0)
}
