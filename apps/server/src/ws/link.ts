import type { Clock } from '@dataagent/guard'
import type { Notice, SentEvent } from '@dataagent/schema'
import type { WebSocket } from 'ws'
import { waitingMax } from '../runs/index.ts'

/** Why the server closes a socket. Codes from 4000 are ours; with them a client stays away. */
export const closeCodes = {
  goingAway: 1012,
  /** Too slow, or the server too busy: connect again and resume. */
  tryAgain: 1013,
  tooMuch: 1008,
  unauthenticated: 4401,
  forbidden: 4403,
  notFound: 4404,
} as const

export interface LinkOptions {
  socket: WebSocket
  clock: Clock
  /** How often the other end is asked whether it is there. Default 20 s. */
  heartbeatMs?: number | undefined
}

/** One socket: what is sent is bounded, and an end that is gone is noticed. */
export interface Link {
  send(message: SentEvent | Notice): void
  /** Resolves when the reader has taken most of what was sent; undefined where it has. */
  ready(): Promise<void> | undefined
  close(code: number, reason: string): void
  readonly isOpen: boolean
  /** Calls `work` with every heartbeat. */
  onBeat(work: () => void): void
}

const waitingLow = 262_144
const lookEveryMs = 10
const missesMax = 2

export function createLink({ socket, clock, heartbeatMs = 20_000 }: LinkOptions): Link {
  let misses = 0
  let draining: Promise<void> | undefined
  let onBeat = () => {}
  let cancelBeat = clock.after(heartbeatMs, beat)
  socket.on('pong', () => (misses = 0))
  socket.on('message', () => (misses = 0))
  socket.on('close', () => cancelBeat())
  socket.on('error', () => socket.terminate())

  function beat(): void {
    if (misses >= missesMax) {
      socket.terminate()
      return
    }
    misses += 1
    socket.ping()
    onBeat()
    cancelBeat = clock.after(heartbeatMs, beat)
  }

  async function untilDrained(): Promise<void> {
    while (socket.bufferedAmount > waitingLow && socket.readyState === socket.OPEN)
      await new Promise<void>((resolve) => void clock.after(lookEveryMs, resolve))
  }

  function close(code: number, reason: string): void {
    socket.close(code, reason)
    // One that does not answer is not waited for.
    const cancel = clock.after(5_000, () => socket.terminate())
    socket.once('close', cancel)
  }

  return {
    send(message) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > waitingMax)
        return close(closeCodes.tryAgain, 'too slow: connect again and resume')
      socket.send(JSON.stringify(message))
    },
    ready() {
      if (socket.bufferedAmount <= waitingLow) return undefined
      draining ??= untilDrained().finally(() => (draining = undefined))
      return draining
    },
    close,
    get isOpen() {
      return socket.readyState === socket.OPEN
    },
    onBeat(work) {
      onBeat = work
    },
  }
}
