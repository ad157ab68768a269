import type { Clock } from '../clock.ts'

const linesPerSecond = 50
const burst = 200
const maxLineBytes = 4096
const newline = 0x0a
const empty = Buffer.alloc(0)

/**
 * Cuts bytes into lines and hands on at most so many a second, so that a flood costs neither time
 * nor log space: what is over is not even looked at, and summed up in the next line.
 */
export interface LineFeed {
  /** The bytes may be reused by the caller afterwards. */
  push(chunk: Buffer): void
  /** Hands on the unfinished last line. */
  end(): void
}

export function createLineFeed(options: { onLine(line: string): void; clock: Clock }): LineFeed {
  const turns = createTurns(options.clock)
  let line = empty
  let cut = 0
  let leftOut = 0
  let skipping = false

  function keep(piece: Buffer): void {
    if (skipping) {
      leftOut += piece.length
      return
    }
    const fitting = piece.subarray(0, maxLineBytes - line.length)
    if (fitting.length > 0) line = Buffer.concat([line, fitting])
    cut += piece.length - fitting.length
  }

  function finishLine(): void {
    if (!skipping) {
      if (leftOut > 0) options.onLine(`[${leftOut} bytes left out]`)
      const text = line.toString('utf8').replace(/\r$/, '')
      options.onLine(cut > 0 ? `${text} [${cut} bytes more]` : text)
      leftOut = 0
    }
    line = empty
    cut = 0
    skipping = false
  }

  function skip(chunk: Buffer, from: number): void {
    leftOut += line.length + cut + chunk.length - from
    skipping = chunk.at(-1) !== newline
    line = empty
    cut = 0
  }

  return {
    push(chunk) {
      for (let from = 0; from < chunk.length; ) {
        const at = chunk.indexOf(newline, from)
        if (at !== -1 && !skipping && !turns.take()) return skip(chunk, from)
        keep(chunk.subarray(from, at === -1 ? chunk.length : at))
        if (at === -1) return
        finishLine()
        from = at + 1
      }
    },
    end() {
      skipping = false
      if (line.length > 0) finishLine()
      else if (leftOut > 0) options.onLine(`[${leftOut} bytes left out]`)
      leftOut = 0
    },
  }
}

function createTurns(clock: Clock): { take(): boolean } {
  let left = burst
  let at = clock.monotonic()

  return {
    take() {
      const now = clock.monotonic()
      left = Math.min(burst, left + ((now - at) / 1000) * linesPerSecond)
      at = now
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}
