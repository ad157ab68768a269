import type { Writable } from 'node:stream'
import type { Pieces } from './mode.ts'

/** Writes at the pace of the other side; ends early, in silence, when it has gone. */
export async function writeAll(stream: Writable, pieces: Pieces): Promise<void> {
  for await (const piece of pieces) {
    if (stream.destroyed) return
    if (!stream.write(piece)) await drained(stream)
  }
}

function drained(stream: Writable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const event of ['drain', 'close', 'error']) stream.once(event, resolve)
  return promise.finally(() => {
    for (const event of ['drain', 'close', 'error']) stream.off(event, resolve)
  })
}

/** Writes one thing after the other whole, whoever asks for it. */
export function createWriter(stream: Writable): (pieces: Pieces) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return (pieces) => {
    last = last.then(() => writeAll(stream, pieces))
    return last
  }
}
