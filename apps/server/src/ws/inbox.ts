import type { Clock } from '@dataagent/guard'
import type { RawData, WebSocket } from 'ws'
import { closeCodes } from './link.ts'

/** The frames of a socket, kept until someone takes them. */
export interface Inbox {
  /** The first frame; undefined where none comes in time, or the socket closes. */
  first(clock: Clock, withinMs: number): Promise<string | undefined>
  /** Takes all others, from now on. */
  onMessage(handler: (text: string) => void): void
}

/** Frames a second that a client may send for long, and at once. */
const perSecond = 50
const burst = 200
/** What is kept of one who has not signed in yet. */
const keptMax = 262_144

export function createInbox(socket: WebSocket): Inbox {
  const kept: string[] = []
  let handler: ((text: string) => void) | undefined
  let keptSize = 0
  let wake = () => {}
  let allowance = burst
  let refilledAt = performance.now()

  function mayTake(): boolean {
    const now = performance.now()
    allowance = Math.min(burst, allowance + ((now - refilledAt) / 1000) * perSecond)
    refilledAt = now
    allowance -= 1
    return allowance >= 0
  }

  socket.on('message', (data: RawData, isBinary: boolean) => {
    if (socket.readyState !== socket.OPEN) return
    if (isBinary) return socket.close(1003, 'send text frames')
    if (!mayTake()) return socket.close(closeCodes.tooMuch, 'too many messages')
    const text = data.toString()
    if (handler) return handler(text)
    keptSize += text.length
    if (keptSize > keptMax) return socket.close(closeCodes.tooMuch, 'too much before signing in')
    kept.push(text)
    wake()
  })
  socket.once('close', () => wake())

  return {
    async first(clock, withinMs) {
      if (kept.length === 0 && socket.readyState === socket.OPEN) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const cancel = clock.after(withinMs, resolve)
        await promise
        cancel()
      }
      return kept.shift()
    },
    onMessage(next) {
      handler = next
      for (const text of kept.splice(0)) next(text)
    },
  }
}
