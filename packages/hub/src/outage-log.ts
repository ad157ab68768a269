import type { Clock } from '@dataagent/guard'
import type { HubOptions } from './hub-options.ts'

/** One line when the store goes, and one when it is back; not one a second. */
export interface OutageLog {
  /** Something in the background failed; `isBack` says whether it works again. */
  away(error: unknown, isBack: () => boolean): void
  close(): void
}

const lookEveryMs = 500

export function createOutageLog(options: {
  onLog: NonNullable<HubOptions['onLog']>
  clock: Clock
}): OutageLog {
  const { onLog, clock } = options
  let cancel: (() => void) | undefined
  let since = 0

  function look(isBack: () => boolean): void {
    if (!isBack()) {
      cancel = clock.after(lookEveryMs, () => look(isBack))
      return
    }
    cancel = undefined
    const seconds = Math.round((clock.monotonic() - since) / 1000)
    onLog({ level: 'info', message: `the store is back after ${seconds} s` })
  }

  return {
    away(error, isBack) {
      if (cancel) return
      since = clock.monotonic()
      const message = 'the store cannot be asked: every call is denied from the fifth second on'
      onLog({ level: 'error', message, error })
      cancel = clock.after(lookEveryMs, () => look(isBack))
    },
    close() {
      cancel?.()
    },
  }
}
