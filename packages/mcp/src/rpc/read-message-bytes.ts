import type { Sorted } from './messages.ts'
import { readMessages } from './read-messages.ts'

/**
 * As `readMessages`, from the bytes of one line, body or event, whole or in the pieces in which they
 * came. A large message is read in slices between which other work goes on: then a promise is given.
 * Rejects with the signal's reason when that aborts meanwhile.
 */
export function readMessageBytes(
  bytes: Buffer | readonly Buffer[],
  _options: { signal?: AbortSignal | undefined } = {},
): Sorted[] | Promise<Sorted[]> {
  return readMessages((Buffer.isBuffer(bytes) ? bytes : Buffer.concat(bytes)).toString('utf8'))
}
