import { pino } from 'pino'
import type { Config } from '../config/index.ts'
import type { LogSink } from './logger.ts'
import { createPrettySink } from './pretty.ts'

export interface LogOutput extends LogSink {
  /** Writes what is left; for the end of the process. */
  flush(): void
}

/** 8 MiB: what may wait when nobody reads standard output; beyond it records are dropped. */
const maxWaiting = 8 * 1024 * 1024
/** Records of so long are written together: one write each costs a busy server its time. */
const gatherMs = 20
const gatherBytes = 8 * 1024

/**
 * Standard output, written beside the event loop: a reader that stalls or a full disk does not stop
 * the server.
 */
export function createLogOutput({ log_format }: Pick<Config, 'log_format'>): LogOutput {
  const limits = { maxLength: maxWaiting, minLength: gatherBytes }
  const destination = pino.destination({ dest: 1, sync: false, ...limits })
  destination.on('error', ignore)
  const isPretty = log_format === 'pretty' || (log_format === 'auto' && process.stdout.isTTY)
  const sink = isPretty
    ? createPrettySink(destination, { colour: process.stdout.isTTY && process.stdout.hasColors() })
    : destination
  let isGathering = false
  const writeGathered = () => {
    isGathering = false
    destination.flush()
  }
  return {
    write(line) {
      sink.write(line)
      if (isGathering) return
      isGathering = true
      setTimeout(writeGathered, gatherMs)
    },
    flush() {
      try {
        destination.flushSync()
      } catch {
        // Nowhere left to say it.
      }
    },
  }
}

function ignore(): void {}
