import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * How many milliseconds of its own time the thread spent at most on one turn of the loop while
 * `work` was under way. Time in which others had the processor does not count.
 */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let longest = 0
  const watching = (async () => {
    while (!isOver) {
      const before = ownTime()
      await nextTurn()
      longest = Math.max(longest, ownTime() - before)
    }
  })()
  await nextTurn()
  await work()
  isOver = true
  await watching
  return longest
}

function ownTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
