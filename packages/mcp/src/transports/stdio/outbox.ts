import type { Writable } from 'node:stream'

/** A line on its way out. */
export interface Letter {
  /** With its new line; empty once it is handed to the stream. */
  line: string
  /** Whether the server may have read it whole. */
  sent: boolean
  /** Called once when it was written, or could not be. Not called for one that was taken back. */
  settle?(error: Error | undefined): void
}

/**
 * Writes lines in their order, no faster than the other side reads; those of one turn of the loop
 * go together.
 */
export interface Outbox {
  add(letter: Letter): void
  /** Takes back a line that has not been handed to the stream; later it does nothing. */
  takeBack(letter: Letter): void
  /** Hands over what the stream takes now; of the rest nothing is written any more. */
  close(): void
  /** Settles with the reason when the other side no longer reads; never rejects. */
  readonly broken: Promise<Error>
}

const batchChars = 64 * 1024

export function createOutbox(stream: Writable): Outbox {
  const waiting = new Set<Letter>()
  const batches: Letter[][] = []
  const { promise: broken, resolve: breakOff } = Promise.withResolvers<Error>()
  let isScheduled = false
  let isFull = false
  let isBroken = false

  stream.on('drain', () => {
    isFull = false
    flush()
  })

  function flush(): void {
    isScheduled = false
    while (waiting.size > 0 && !isFull && !isBroken) writeBatch()
  }

  function writeBatch(): void {
    const batch: Letter[] = []
    let text = ''
    for (const letter of waiting) {
      if (text.length > batchChars) break
      waiting.delete(letter)
      letter.sent = true
      batch.push(letter)
      text += letter.line
      letter.line = ''
    }
    batches.push(batch)
    isFull = !stream.write(text, onWritten)
  }

  /** Writes end in the order in which they began. */
  function onWritten(error?: Error | null): void {
    const batch = batches.shift() ?? []
    if (error) markUnsent(batch)
    for (const letter of batch) letter.settle?.(error ?? undefined)
    if (!error) return
    isBroken = true
    breakOff(error)
  }

  /**
   * The first write that fails may have been taken in part, but not to its end: its last line was
   * not. Of those behind it nothing was.
   */
  function markUnsent(batch: Letter[]): void {
    const unsent = isBroken ? batch : batch.slice(-1)
    for (const letter of unsent) letter.sent = false
  }

  return {
    add(letter) {
      waiting.add(letter)
      if (isScheduled || isFull) return
      isScheduled = true
      process.nextTick(flush)
    },
    takeBack: (letter) => waiting.delete(letter),
    close() {
      flush()
      isBroken = true
      for (const letter of waiting) letter.settle?.(new Error('not written'))
      waiting.clear()
    },
    broken,
  }
}
