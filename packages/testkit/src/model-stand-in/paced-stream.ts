import type { ServerResponse } from 'node:http'
import type { Frame } from './wire.ts'

export interface Pace {
  /** Milliseconds until the first token. */
  ttft: number
  /** Milliseconds between tokens. */
  itl: number
  /** Ends the stream after so many tokens. */
  stopAfter: number
}

/** How much is gathered for one write when nothing has to wait. */
const writeSize = 16 * 1024

/**
 * Writes frames at their time, waiting for slow readers. Says whether all were written, as many as
 * wanted, or the reader left.
 */
export async function writePaced(
  response: ServerResponse,
  frames: Iterable<Frame>,
  pace: Pace,
): Promise<'complete' | 'stopped' | 'disconnected'> {
  const began = performance.now()
  let tokens = 0
  let gathered = ''
  for (const { text, isToken } of frames) {
    if (isToken) {
      if (tokens === pace.stopAfter) break
      const due = began + pace.ttft + tokens * pace.itl
      tokens++
      if (due > performance.now()) {
        await write(response, gathered)
        gathered = ''
        await wait(response, due - performance.now())
      }
    }
    gathered += text
    if (gathered.length > writeSize) {
      await write(response, gathered)
      gathered = ''
    }
    if (response.destroyed) return 'disconnected'
  }
  await write(response, gathered)
  if (response.destroyed) return 'disconnected'
  return tokens === pace.stopAfter ? 'stopped' : 'complete'
}

/** Waits so long, or until the reader leaves. */
export async function wait(response: ServerResponse, ms: number): Promise<void> {
  if (ms <= 0 || response.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  response.once('close', resolve)
  await promise
  clearTimeout(timer)
  response.off('close', resolve)
}

async function write(response: ServerResponse, text: string): Promise<void> {
  if (text === '' || response.destroyed || response.write(text)) return
  const { promise, resolve } = Promise.withResolvers<void>()
  response.once('drain', resolve)
  response.once('close', resolve)
  await promise
  response.off('drain', resolve)
  response.off('close', resolve)
}
