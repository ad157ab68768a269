import {
  type EndLeftRunMeans,
  endLeftRun,
  type RunLeases,
  readLast,
  type SessionLog,
} from '@dataagent/core'
import type { Clock } from '@dataagent/guard'
import { type ErrorCode, errorTable, isAppError } from '@dataagent/schema'
import type { RunRow, Runs } from '../ports/index.ts'
import type { Feed } from './feed.ts'
import { createRunRecord } from './run-record.ts'
import { readStored } from './stored-event.ts'

/** A line for the log. */
export interface RunLogEntry {
  level: 'info' | 'warn' | 'error'
  message: string
  error?: unknown
  session_id?: string
  run_id?: string
}

export interface SettlingOptions {
  runs: Runs
  log: SessionLog
  /** Of the sessions' runs, wherever they are. */
  leases: RunLeases
  approvals: EndLeftRunMeans['approvals']
  feed: Pick<Feed, 'tell'>
  /** Takes over into the session's history what has ended in its log. */
  saveTurns(session_id: string): Promise<void>
  clock: Clock
  /** Must not throw. */
  onLog(entry: RunLogEntry): void
}

/** Ends the rows of runs that nobody goes on with. */
export interface Settling {
  /** The row as its log has it; one that is open in the log stays so. */
  settle(row: RunRow): Promise<void>
  /** Its log is gone, or is of no use. */
  drop(row: RunRow, error_code: ErrorCode): Promise<void>
  /** The run too, in its log: because of the error; without one it was cancelled. */
  end(row: RunRow, error: unknown): Promise<void>
}

export function createSettling(options: SettlingOptions): Settling {
  const { runs, log, leases, approvals, feed, clock, onLog } = options

  async function settle({ session_id, run_id }: RunRow): Promise<void> {
    const record = createRunRecord()
    let lastRun: string | undefined
    for await (const rows of readLast(log, session_id, 500)) {
      for (const { json } of rows) {
        const event = readStored(json)
        lastRun = event.run_id ?? lastRun
        if (event.run_id === run_id) record.take(event)
      }
    }
    // Whoever was about to go on with it left it again.
    if (lastRun === run_id && !record.isOver) return
    await runs.end(run_id, record.toEnd(clock.now()))
  }

  async function drop({ run_id }: RunRow, error_code: ErrorCode): Promise<void> {
    const end = createRunRecord().toEnd(clock.now())
    await runs.end(run_id, { ...end, status: 'error', error_code })
  }

  async function endInLog(row: RunRow, error: unknown): Promise<void> {
    const { tenant_id, session_id, run_id } = row
    const means = { log, clock, approvals, tenant_id, leases }
    const last = await endLeftRun(means, { session_id, run_id, error })
    await options.saveTurns(session_id).catch((fault) => tell(row, 'a turn was not saved', fault))
    await settle(row)
    for (const event of last) feed.tell(session_id, event)
  }

  function tell({ session_id, run_id }: RunRow, message: string, error: unknown): void {
    onLog({ level: 'error', message, error, session_id, run_id })
  }

  return {
    settle,
    drop,
    async end(row, error) {
      try {
        await endInLog(row, error)
      } catch (fault) {
        if (isPassing(fault)) throw fault
        tell(row, 'the log of a run that was left cannot be put in order', fault)
        await drop(row, codeOf(error))
      }
      if (error !== undefined) tell(row, 'a run that was left could not go on and was ended', error)
    },
  }
}

/** Whether it may be otherwise later; in a conflict, because the session is another's for now. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'conflict' || errorTable[code].retryable
}

function codeOf(error: unknown): ErrorCode {
  return isAppError(error) ? error.code : 'internal'
}
