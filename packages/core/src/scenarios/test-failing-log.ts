import type { SessionLog } from '../session/index.ts'

/** A log that fails when it is told to. */
export interface FailingLog extends SessionLog {
  /** The next appends that hold an event of this kind fail, `times` times, before or after. */
  failAt(kind: string, failure: LogFailure): void
  /** How often it has failed. */
  readonly failures: number
}

export interface LogFailure {
  error: unknown
  times: number
  /** The entries are stored all the same, as when the answer is lost on its way. */
  isStored?: boolean
}

export function createFailingLog(log: SessionLog): FailingLog {
  let at = ''
  let failures = 0
  let failure: LogFailure | undefined

  return {
    ...log,
    get failures() {
      return failures
    },
    failAt(kind, how) {
      at = kind
      failure = { ...how }
    },
    async append(session_id, entries, options) {
      const fails = failure && failure.times > 0 && entries.some(({ kind }) => kind === at)
      if (!fails || failure === undefined) return log.append(session_id, entries, options)
      failure.times -= 1
      failures += 1
      if (failure.isStored) await log.append(session_id, entries, options)
      throw failure.error
    },
  }
}
