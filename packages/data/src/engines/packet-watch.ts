import type { Socket } from 'node:net'

/** How messages of a database follow each other on its socket. */
export interface Framing {
  headBytes: number
  /** The bytes that follow a head, and whether the message goes on in the next one. */
  read(head: Buffer): { bodyBytes: number; goesOn: boolean }
}

/**
 * Ends the connection as soon as a message is announced that is longer than `mostBytes`: a driver
 * puts each message together in memory before anybody can look at it. Begin between two messages.
 */
export function watchPackets(
  socket: Socket,
  { framing, mostBytes, onTooLong }: { framing: Framing; mostBytes: number; onTooLong(): void },
): void {
  const head = Buffer.alloc(framing.headBytes)
  let headAt = 0
  let skip = 0
  let total = 0

  socket.prependListener('data', (piece: Buffer) => {
    for (let at = 0; at < piece.length; ) {
      if (skip > 0) {
        const step = Math.min(skip, piece.length - at)
        skip -= step
        at += step
        continue
      }
      head[headAt] = piece[at]!
      headAt += 1
      at += 1
      if (headAt < framing.headBytes) continue
      const { bodyBytes, goesOn } = framing.read(head)
      headAt = 0
      skip = bodyBytes
      total += bodyBytes
      if (total > mostBytes) {
        onTooLong()
        socket.destroy()
        return
      }
      if (!goesOn) total = 0
    }
  })
}
