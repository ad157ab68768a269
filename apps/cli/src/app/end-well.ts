import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Screen } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import { words } from './words.ts'

export interface EndOptions {
  screen: Pick<Screen, 'close' | 'isLent'>
  lang: Lang
  logFile: string
  /** Ctrl-C that comes as a signal: true where it meant something else than the program. */
  interrupt?(): boolean
  /** Leaves in good order, with this exit code. */
  leave(code: number): void
}

/** What is left to be closed has this long. */
const lastMs = 8_000

/**
 * However the process ends, the terminal is as it was: at an error that nobody expected, which is
 * told with the place of the log; when it is told to stop; when the terminal is closed.
 */
export function endWell(options: EndOptions): Disposable {
  const { screen, lang, logFile, interrupt, leave } = options
  let isOver = false
  const end = (code: number) => {
    isOver = true
    // Whatever still holds us then: nobody is there to wait for it.
    setTimeout(() => process.exit(code), lastMs).unref()
    leave(code)
  }
  const restore = () => {
    try {
      screen.close()
    } catch {
      // What cannot be written any more; the terminal has been given back as far as it could be.
    }
  }
  const fail = (error: unknown) => {
    // Told once: to tell it may be what fails.
    const isTold = isOver
    isOver = true
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    if (!isTold) writeLog(logFile, text)
    restore()
    if (isTold) return
    const [first = ''] = text.split('\n')
    process.stderr.write(`${words.crashed[lang]}: ${first}\n${words.logAt[lang]}: ${logFile}\n`)
    end(1)
  }
  const stops = { SIGTERM: 143, SIGHUP: 129, SIGINT: 130 } as const
  const handlers = Object.entries(stops).map(([signal, code]) => {
    const handle = () => {
      if (signal === 'SIGINT' && (screen.isLent || interrupt?.())) return
      restore()
      end(code)
    }
    process.on(signal, handle)
    return { signal, handle }
  })
  process.on('exit', restore)
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  // The terminal is gone, and with it the person.
  const hangUp = () => {
    restore()
    if (!isOver) end(stops.SIGHUP)
  }
  const streams = [process.stdin, process.stdout, process.stderr]
  for (const stream of streams) stream.on('error', hangUp)
  return {
    [Symbol.dispose]() {
      for (const { signal, handle } of handlers) process.off(signal, handle)
      for (const stream of streams) stream.off('error', hangUp)
      process.off('exit', restore)
      process.off('uncaughtException', fail)
      process.off('unhandledRejection', fail)
    },
  }
}

function writeLog(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const time = new Date().toISOString()
    appendFileSync(path, `${JSON.stringify({ time, level: 'fatal', error: text })}\n`, {
      mode: 0o600,
    })
  } catch {
    // There is nowhere left to say so.
  }
}
