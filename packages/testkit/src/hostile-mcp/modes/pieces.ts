import { setTimeout as sleep } from 'node:timers/promises'

const pieceBytes = 64 * 1024

/** `text` again and again, `bytes` of it, in pieces that cost next to nothing to make. */
export function* repeat(text: string, bytes: number): Generator<Uint8Array> {
  const piece = Buffer.from(text.repeat(Math.ceil(pieceBytes / text.length)))
  for (let left = bytes; left > 0; left -= piece.length) {
    yield left >= piece.length ? piece : piece.subarray(0, left)
  }
}

export function* around(head: string, middle: Iterable<Uint8Array>, tail: string) {
  yield head
  yield* middle
  yield tail
}

/** The bytes of `text` one by one, `ms` apart; what is left when `signal` ends, at once. */
export async function* drip(
  text: string,
  { ms, signal }: { ms: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 1) {
    if (signal.aborted) return yield bytes.subarray(at)
    yield bytes.subarray(at, at + 1)
    await sleep(ms, undefined, { signal }).catch(() => {})
  }
}

/** `count` texts, made as they are needed and joined to pieces. */
export function* times(count: number, make: (index: number) => string): Generator<string> {
  let piece = ''
  for (let index = 0; index < count; index += 1) {
    piece += make(index)
    if (piece.length < pieceBytes && index < count - 1) continue
    yield piece
    piece = ''
  }
}
