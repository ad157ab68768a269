import type { Clock } from '@dataagent/guard'
import type { ServerNotice } from '@dataagent/mcp'
import type { UpstreamKey } from './contract.ts'
import { toMapKey } from './pool-key.ts'

/** Passes on what servers tell of themselves, each thing so often and no more. */
export interface NoticeBoard {
  post(key: UpstreamKey, notice: ServerNotice): void
  close(): void
}

export interface NoticeBoardOptions {
  clock: Clock
  /** Must not throw. */
  pass(key: UpstreamKey, notice: ServerNotice): void
}

/** However often a server tells the same, so long is the rest between two times. */
const restMs = 100
/** A server that tells more different things than these at once is not listened to for the rest. */
const mostResting = 1_000

interface Resting {
  cancel(): void
  again: boolean
}

export function createNoticeBoard({ clock, pass }: NoticeBoardOptions): NoticeBoard {
  const resting = new Map<string, Resting>()

  function post(key: UpstreamKey, notice: ServerNotice): void {
    const name = `${toMapKey(key)}\n${JSON.stringify(notice)}`
    const known = resting.get(name)
    if (known) known.again = true
    else if (resting.size < mostResting) passOn(name, { ...key }, notice)
  }

  function passOn(name: string, key: UpstreamKey, notice: ServerNotice): void {
    const cancel = clock.after(restMs, () => {
      resting.delete(name)
      if (rest.again) passOn(name, key, notice)
    })
    const rest: Resting = { cancel, again: false }
    resting.set(name, rest)
    pass(key, notice)
  }

  return {
    post,
    close() {
      for (const { cancel } of resting.values()) cancel()
      resting.clear()
    },
  }
}
