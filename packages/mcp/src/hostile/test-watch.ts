import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { longCount, waitFor } from '@dataagent/testkit'
import { expect } from 'vitest'

const everyMs = 5

/**
 * Watches the event loop until `stop`, which gives for how many milliseconds this thread worked at
 * most without a look at its timers. Time that others had the processor does not count.
 */
export function watchLoop(): { stop(): number } {
  let longest = 0
  let last = workedMs()
  const look = () => {
    const now = workedMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, everyMs)
  return {
    stop() {
      clearInterval(timer)
      look()
      return longest
    },
  }
}

/** The goal is 50 ms; a processor that others use too is slower than it would be. */
export function expectFreeLoop(ms: number): void {
  expect(ms).toBeLessThan(500)
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** How many handles of each kind keep this process alive. */
export function countHandles(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

/** Waits until there are no more handles of any kind than there were. */
export async function expectNoHandlesBeyond(before: Map<string, number>): Promise<void> {
  // A program that does not heed a signal is killed after a while; a busy machine takes longer.
  await waitFor(() => expect(beyond(before)).toEqual([]) ?? true, {
    ...{ timeoutMs: 20_000, what: 'no more handles' },
  })
}

function beyond(before: Map<string, number>): string[] {
  return [...countHandles()]
    .filter(([kind, count]) => count > (before.get(kind) ?? 0))
    .map(([kind, count]) => `${kind}: ${count}, was ${before.get(kind) ?? 0}`)
}

/** The bytes of the heap that are in use, after all garbage has gone. */
export function usedHeap(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}

/** Shows a figure where the long form of the tests asks for figures. */
export function tell(what: string, figures: Record<string, number>): void {
  const text = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`)
  if (longCount(0, 1)) console.log(`${what}: ${text.join(', ')}`)
}

/** Watches the memory of this process until `stop`, which gives by how much it grew at most. */
export function watchMemory(): { stop(): number } {
  const before = usedHeap() && process.memoryUsage.rss()
  let most = before
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  const timer = setInterval(look, 5)
  return {
    stop() {
      clearInterval(timer)
      look()
      return most - before
    },
  }
}
