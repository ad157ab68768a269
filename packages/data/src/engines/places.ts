import { AppError } from '@dataagent/schema'

/** So many at a time; others wait in the order in which they came. */
export interface Places {
  /** Waits for its turn; the returned function gives it back. Rejects where `signal` aborts. */
  take(signal: AbortSignal): Promise<() => void>
  /** Whether nobody holds one or waits. */
  areFree(): boolean
  /** Whether somebody waits. */
  areWanted(): boolean
}

/** `onWait` is told of each that has to wait. */
export function createPlaces({ most, onWait }: { most: number; onWait?(): void }): Places {
  const waiting: (() => void)[] = []
  let used = 0

  function giveBack(): void {
    const next = waiting.shift()
    if (next) next()
    else used -= 1
  }

  function toRelease(): () => void {
    let isHeld = true
    return () => {
      if (isHeld) giveBack()
      isHeld = false
    }
  }

  return {
    areFree: () => used === 0,
    areWanted: () => waiting.length > 0,
    async take(signal) {
      signal.throwIfAborted()
      if (used < most) {
        used += 1
        return toRelease()
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const onAbort = () => {
        const at = waiting.indexOf(resolve)
        if (at === -1) return
        waiting.splice(at, 1)
        reject(new AppError('unavailable', 'Too many queries are running. Ask again later.'))
      }
      waiting.push(resolve)
      signal.addEventListener('abort', onAbort, { once: true })
      onWait?.()
      await promise.finally(() => signal.removeEventListener('abort', onAbort))
      return toRelease()
    },
  }
}
