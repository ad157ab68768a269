import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { stopFamily } from './family.ts'
import { signalEach, signalGroup } from './signals.ts'

/** Most servers leave soon after their stdin ends; those that do not are told so. */
const politeMs = 500
const sweepRounds = 50
const sweepAgainMs = 10

/** The ways to end a process with all that it started. */
export interface Termination {
  /**
   * Waits for the process to leave by itself, then asks it, then kills it; settles when it has
   * gone.
   */
  windDown(graceMs: number): Promise<void>
  kill(): Promise<void>
  /**
   * Kills what the process left behind. Called at the moment of its exit: later its pid may be
   * another's. A sandbox that was not killed itself has left nothing.
   */
  sweep(exit: { killed: boolean }): Promise<void>
}

export function createTermination(needs: {
  pid: number
  tag: string
  /**
   * The group inside the sandbox: when its first process goes, the kernel ends all others in there.
   */
  innerGroup(): number | undefined
  exited: Promise<unknown>
  clock: Clock
}): Termination {
  const { pid, tag, innerGroup, exited, clock } = needs
  let gone = false

  async function kill(): Promise<void> {
    if (gone) return
    const inner = innerGroup()
    const family = inner === undefined ? await stopFamily({ leaders: new Set([pid]), tag }) : []
    if (gone) return
    signalGroup(inner ?? pid, 'SIGKILL')
    signalEach(family, 'SIGKILL')
  }

  function leavesWithin(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const cancel = clock.after(ms, () => resolve(false))
    return Promise.race([promise, exited.then(() => true)]).finally(cancel)
  }

  return {
    kill,
    async windDown(graceMs) {
      const polite = Math.min(politeMs, graceMs / 2)
      if (await leavesWithin(polite)) return
      signalGroup(innerGroup() ?? pid, 'SIGTERM')
      if (await leavesWithin(graceMs - polite)) return
      await kill()
      await exited
    },
    async sweep({ killed }) {
      gone = true
      if (innerGroup() !== undefined && !killed) return
      signalGroup(pid, 'SIGKILL')
      for (let round = 0; round < sweepRounds; round += 1) {
        const family = await stopFamily({ leaders: new Set([pid]), tag })
        if (family.length === 0) return
        signalEach(family, 'SIGKILL')
        await wait(sweepAgainMs)
      }
    },
  }
}
