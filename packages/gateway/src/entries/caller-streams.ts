import type { ServerResponse } from 'node:http'
import { type Caller, rpcCodes } from '../protocol/index.ts'
import { createOpenCounts } from './open-counts.ts'
import { sendFault } from './send.ts'

/** Streams that one key or person may have open in one process, of all kinds. */
const maxOpen = 200

export interface CallerStreams {
  /**
   * Counts one more until the response closes. False where there is nobody (any more) to open it
   * for, or too many are open or the server stops, which is answered here.
   */
  enter(caller: Caller, response: ServerResponse): boolean
  /** How a stream is ended when the server stops, so that its client goes elsewhere. */
  onStop(response: ServerResponse, end: () => void): void
  stop(): void
}

export function createCallerStreams(): CallerStreams {
  const counts = createOpenCounts(maxOpen)
  const ends = new Set<() => void>()
  let isStopping = false

  return {
    enter({ group_id, quota_key }, response) {
      // One that has gone is not told to close again: nothing would ever end its stream.
      if (response.destroyed) return false
      if (isStopping) {
        sendStopping(response)
        return false
      }
      const leave = counts.enter(`${group_id} ${quota_key}`)
      if (leave === undefined) sendTooMany(response, 'Too many streams are open with this key.')
      else response.on('close', leave)
      return leave !== undefined
    },
    onStop(response, end) {
      ends.add(end)
      response.on('close', () => ends.delete(end))
    },
    stop() {
      isStopping = true
      for (const end of [...ends]) end()
    },
  }
}

function sendStopping(response: ServerResponse): void {
  const message = 'The server stops. Connect again.'
  sendFault(response, 503, { code: rpcCodes.server, message, headers: { 'retry-after': '1' } })
}

export function sendTooMany(response: ServerResponse, message: string): void {
  sendFault(response, 429, { code: rpcCodes.server, message, headers: { 'retry-after': '10' } })
}
