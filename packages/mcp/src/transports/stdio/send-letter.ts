import { cancelledError, closedError } from '../../errors.ts'
import type { JsonRpcMessage } from '../../rpc/messages.ts'
import { onceAborted } from '../shared/once-aborted.ts'
import { toText } from '../shared/to-text.ts'
import type { Letter, Outbox } from './outbox.ts'

/** Sends a message to which no answer comes; settles when it has been written. */
export function sendLetter(needs: {
  message: JsonRpcMessage
  outbox: Outbox
  signal: AbortSignal | undefined
}): Promise<void> {
  const { outbox, signal } = needs
  const line = `${toText(needs.message)}\n`
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const letter: Letter = {
    line,
    sent: false,
    settle(error) {
      if (error) reject(closedError('the server no longer reads its input', letter.sent, error))
      else resolve()
    },
  }
  outbox.add(letter)
  if (signal === undefined) return promise
  const stopListening = onceAborted(signal, () => {
    outbox.takeBack(letter)
    reject(cancelledError(signal, letter.sent))
  })
  return promise.finally(stopListening)
}
