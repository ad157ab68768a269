import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock, ProcessExit, ProcessHandle } from '@dataagent/guard'
import type { Confidences } from '../shared/confidences.ts'
import type { End } from './closed-error.ts'
import type { Inbox } from './inbox.ts'
import type { Outbox } from './outbox.ts'

/** The end of a server, whoever brought it about. */
export interface ServerEnd {
  /** How it ended, as far as is known; undefined while it lives. */
  soFar(): End | undefined
  /** Settles when it has gone and what it wrote before has been read. */
  readonly complete: Promise<End>
}

/** After so long without output, a server that has gone has no more to say. */
const quietMs = 100
const roundsMax = 50

/** It has gone when its process exits, when it closes its output, or when it closes its input. */
export function watchForEnd(needs: {
  child: ProcessHandle
  inbox: Inbox
  outbox: Outbox
  confidences: Confidences
  clock: Clock
}): ServerEnd {
  const { child, inbox, outbox, confidences, clock } = needs
  let exit: ProcessExit | undefined
  let sign: End['sign']
  const signs = [
    child.exited.then((found) => {
      exit = found
    }),
    inbox.ended.then(() => {
      sign ??= 'output'
    }),
    outbox.broken.then(() => {
      sign ??= 'input'
    }),
  ]

  function describe(): End {
    return { exit, sign, stderrTail: child.stderrTail(), confidences }
  }

  async function untilComplete(): Promise<End> {
    await Promise.race(signs)
    const all = Promise.all([child.exited, inbox.ended]).then(() => true as const)
    for (let round = 0; round < roundsMax; round += 1) {
      const before = inbox.chunks()
      if (await isSettledWithin(all, quietMs, clock)) break
      if (!inbox.isWorking() && inbox.chunks() === before) break
    }
    // What was written to stderr is in the pipe: the loop has it read by then.
    await nextTurn()
    await nextTurn()
    return describe()
  }

  return {
    soFar: () => (exit || sign ? describe() : undefined),
    complete: untilComplete(),
  }
}

function isSettledWithin(promise: Promise<true>, ms: number, clock: Clock): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const cancel = clock.after(ms, () => resolve(false))
  return Promise.race([promise, late]).finally(cancel)
}
