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
/**
 * What is resting is kept, so it is weighed: in characters, and so many more for each. A server
 * that tells more different things than fit is not listened to for the rest.
 */
const eachWeighs = 256
const mostOfOne = 512 * 1024
/** Of all servers together; then each has this share left, whatever the others tell. */
const mostOfAll = 32 * 1024 * 1024
const shareOfEach = 16 * 1024

interface Resting {
  cancel(): void
  again: boolean
}

/** What one server has told. */
interface Told {
  resting: Map<string, Resting>
  weight: number
}

export function createNoticeBoard({ clock, pass }: NoticeBoardOptions): NoticeBoard {
  const toldBy = new Map<string, Told>()
  let weightOfAll = 0

  function post(key: UpstreamKey, notice: ServerNotice): void {
    const whose = toMapKey(key)
    const what = JSON.stringify(notice)
    const told = toldBy.get(whose) ?? { resting: new Map(), weight: 0 }
    const known = told.resting.get(what)
    if (known) known.again = true
    else if (fits(told, toWeight(what))) {
      toldBy.set(whose, told)
      passOn({ whose, what, told }, { ...key }, notice)
    }
  }

  function fits({ weight }: Told, more: number): boolean {
    const most = weightOfAll + more <= mostOfAll ? mostOfOne : shareOfEach
    return weight + more <= most
  }

  function passOn(place: Place, key: UpstreamKey, notice: ServerNotice): void {
    const { what, told } = place
    const rest: Resting = { cancel: clock.after(restMs, wake), again: false }
    told.resting.set(what, rest)
    weigh(told, toWeight(what))
    pass(key, notice)

    function wake(): void {
      forget(place)
      if (rest.again) post(key, notice)
    }
  }

  function forget({ whose, what, told }: Place): void {
    told.resting.delete(what)
    weigh(told, -toWeight(what))
    if (told.resting.size === 0) toldBy.delete(whose)
  }

  function weigh(told: Told, more: number): void {
    told.weight += more
    weightOfAll += more
  }

  return {
    post,
    close() {
      for (const { resting } of toldBy.values()) for (const { cancel } of resting.values()) cancel()
      toldBy.clear()
    },
  }
}

interface Place {
  whose: string
  what: string
  told: Told
}

function toWeight(what: string): number {
  return what.length + eachWeighs
}
