import { pino } from 'pino'
import type { Config } from '../config/index.ts'
import type { LogSink } from './logger.ts'
import { createPrettySink } from './pretty.ts'

export interface LogOutput extends LogSink {
  /**
   * Writes what is left, for half a second at the most; for the end of the process. What comes
   * after is not written. Never rejects.
   */
  close(): Promise<void>
}

export interface LogOutputOptions {
  /** Told how many records were dropped, when records can be written again. */
  onDropped(count: number): void
  /** The file descriptor. Default: standard output. */
  dest?: number
}

/** 8 MiB: what may wait when nobody reads standard output; beyond it records are dropped. */
const maxWaiting = 8 * 1024 * 1024
/** Records of so long are written together: one write each costs a busy server its time. */
const gatherMs = 20
const gatherBytes = 8 * 1024
/** How long the end of the process waits for a reader that stalls. */
const closeMs = 500

/**
 * Standard output, written beside the event loop: a reader that stalls or a full disk does not stop
 * the server, nor keep it from ending.
 */
export function createLogOutput(
  { log_format }: Pick<Config, 'log_format'>,
  { onDropped, dest = 1 }: LogOutputOptions,
): LogOutput {
  // To look at it makes a pipe non-blocking: a write to a full one then fails, and holds no thread.
  const { isTTY } = process.stdout
  const limits = { maxLength: maxWaiting, minLength: gatherBytes }
  const destination = pino.destination({ dest, sync: false, ...limits })
  // Called by pino when the process ends; where nothing can be written it would never return.
  destination.flushSync = ignore
  let closing: Promise<void> | undefined
  let isBroken = false
  destination.on('error', ({ code }: NodeJS.ErrnoException) => {
    isBroken ||= code === 'EPIPE'
  })
  tellOfDropped(destination, onDropped)
  const isPretty = log_format === 'pretty' || (log_format === 'auto' && isTTY)
  const sink = isPretty
    ? createPrettySink(destination, { colour: isTTY && process.stdout.hasColors() })
    : destination
  let isGathering = false
  const writeGathered = () => {
    isGathering = false
    if (closing === undefined) destination.flush()
  }
  return {
    write(line) {
      if (closing !== undefined) return
      sink.write(line)
      if (isGathering) return
      isGathering = true
      setTimeout(writeGathered, gatherMs)
    },
    close() {
      closing ??= isBroken ? Promise.resolve() : endWithin(destination, closeMs)
      return closing
    },
  }
}

type Destination = ReturnType<typeof pino.destination>

/** Those that are dropped while this is told belong to the next count. */
function tellOfDropped(destination: Destination, onDropped: (count: number) => void): void {
  let dropped = 0
  destination.on('drop', () => {
    dropped += 1
  })
  destination.on('drain', () => {
    const count = dropped
    dropped = 0
    if (count > 0) onDropped(count)
  })
}

/** Resolves when all is written, or cannot be, or time is up. */
function endWithin(destination: Destination, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    for (const event of ['close', 'error'])
      destination.once(event, () => {
        clearTimeout(timer)
        resolve()
      })
    destination.end()
  })
}

function ignore(): void {}
