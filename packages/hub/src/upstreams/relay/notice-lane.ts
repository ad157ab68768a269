import { toMapKey } from '../pool-key.ts'
import type { Noticed } from './messages.ts'

/** Sends other processes what servers tell of themselves, in turn, and so many at once. */
export interface NoticeLane {
  post(noticed: Noticed): void
  /** What has not begun is no longer sent; settles when the rest was. */
  close(): Promise<void>
}

export interface NoticeLaneOptions {
  send(noticed: Noticed): Promise<void>
}

/** A store has room for all that is on its way at once: these leave most of it to others. */
const mostAtOnce = 64
/** What waits is kept, so it is weighed, in characters. What is more than that is not told. */
const mostOfOne = 512 * 1024
const mostOfAll = 32 * 1024 * 1024

interface Waiting {
  noticed: Map<string, Noticed>
  weight: number
}

export function createNoticeLane({ send }: NoticeLaneOptions): NoticeLane {
  /** Whose turn it is comes first. */
  const waiting = new Map<string, Waiting>()
  const underWay = new Set<Promise<void>>()
  let weightOfAll = 0

  function pump(): void {
    while (underWay.size < mostAtOnce) {
      const next = takeNext()
      if (next === undefined) return
      const sent = send(next)
        .catch(() => undefined)
        .finally(() => {
          underWay.delete(sent)
          pump()
        })
      underWay.add(sent)
    }
  }

  function takeNext(): Noticed | undefined {
    const [whose, own] = waiting.entries().next().value ?? []
    const [what, noticed] = own?.noticed.entries().next().value ?? []
    if (whose === undefined || own === undefined || what === undefined) return undefined
    own.noticed.delete(what)
    weigh(own, -what.length)
    waiting.delete(whose)
    if (own.noticed.size > 0) waiting.set(whose, own)
    return noticed
  }

  function weigh(own: Waiting, more: number): void {
    own.weight += more
    weightOfAll += more
  }

  return {
    post(noticed) {
      const whose = toMapKey(noticed.key)
      const what = JSON.stringify(noticed.notice)
      const own = waiting.get(whose) ?? { noticed: new Map(), weight: 0 }
      const isTooMuch = own.weight + what.length > mostOfOne || weightOfAll > mostOfAll
      if (own.noticed.has(what) || isTooMuch) return
      own.noticed.set(what, noticed)
      weigh(own, what.length)
      waiting.set(whose, own)
      pump()
    },
    async close() {
      waiting.clear()
      await Promise.all(underWay)
    },
  }
}
