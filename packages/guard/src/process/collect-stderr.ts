import type { Readable } from 'node:stream'
import type { Clock } from '../clock.ts'
import { createByteRing } from './byte-ring.ts'
import { drain } from './drain.ts'
import { createLineFeed } from './line-feed.ts'

/** Reads a child's stderr for ever, keeping its end and handing on its lines. */
export function collectStderr(
  stream: Readable,
  options: {
    stderrBytes: number
    onStderr: ((line: string) => void) | undefined
    clock: Clock
  },
): { tail(): string; reader: Readable } {
  const { stderrBytes, onStderr, clock } = options
  const ring = createByteRing(stderrBytes)
  const lines = onStderr && createLineFeed({ onLine: onStderr, clock })
  const reader = drain(stream, {
    chunk(bytes) {
      ring.push(bytes)
      lines?.push(bytes)
    },
    end: () => lines?.end(),
  })
  return { tail: ring.text, reader }
}
