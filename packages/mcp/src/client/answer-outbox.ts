import type { Peer } from '../protocol/peer.ts'
import type { JsonRpcResponse } from '../rpc/messages.ts'

/** Over HTTP each answer is a request of its own, and may need a connection of its own. */
const sendingMax = 16
const waitingMax = 1_000

/** Sends what the server asked for, so many answers at a time. */
export interface AnswerOutbox {
  /** Never throws. A server that asks more than it takes answers for is not answered. */
  send(response: JsonRpcResponse): void
  /** Leaves out what is not being sent yet. */
  close(): void
}

export function createAnswerOutbox(needs: {
  peer: Pick<Peer, 'send'>
  onWarning(text: string): void
}): AnswerOutbox {
  const { peer, onWarning } = needs
  let waiting: JsonRpcResponse[] = []
  let sending = 0
  let hasLeftOut = false

  return {
    send(response) {
      if (waiting.length >= waitingMax) return leaveOut()
      hasLeftOut = false
      waiting.push(response)
      if (sending < sendingMax) void sendAll()
    },
    close() {
      waiting = []
    },
  }

  function leaveOut(): void {
    if (!hasLeftOut) onWarning('the server asks more than it takes answers for; they are left out')
    hasLeftOut = true
  }

  async function sendAll(): Promise<void> {
    sending += 1
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await sendOne(next)
    sending -= 1
  }

  async function sendOne(response: JsonRpcResponse): Promise<void> {
    try {
      await peer.send(response)
    } catch {
      onWarning('a request of the server could not be answered')
    }
  }
}
