import { once } from 'node:events'
import { dial } from '../dial.ts'
import type { PostgresLink, PostgresNeeds } from './connect.ts'

const cancelCode = 80_877_102
const cancelMs = 3_000

/**
 * Asks the server to end what a connection runs (CancelRequest). Never rejects: without it the
 * statement ends at its time limit.
 */
export async function cancelStatement(
  needs: Omit<PostgresNeeds, 'signal'>,
  { processID, secretKey }: PostgresLink['cancelKey'],
): Promise<void> {
  const signal = AbortSignal.timeout(cancelMs)
  try {
    const socket = await dial({ ...needs.server, ...needs, signal })
    socket.on('error', () => {})
    const message = Buffer.alloc(16)
    message.writeInt32BE(16, 0)
    message.writeInt32BE(cancelCode, 4)
    message.writeInt32BE(processID, 8)
    message.writeInt32BE(secretKey, 12)
    socket.end(message)
    socket.resume()
    await once(socket, 'close', { signal }).finally(() => socket.destroy())
  } catch {
    // As said above.
  }
}
