import type { SocketLike } from '@dataagent/client'
import { waitFor } from '@dataagent/testkit'

type Fields = { event_type: string; [field: string]: unknown }
type Sent = { type: string; payload?: Record<string, unknown> }

/** The server's end of one socket. */
export interface SocketEnd {
  /** What the client has said on it. */
  sent: Sent[]
  tell(message: Fields): void
  /** Ends the connection, as the server or the way to it would. */
  drop(code?: number): void
}

/** A server of one session at the other end of sockets that need no network. */
export interface TestSockets {
  WebSocket: new (url: string) => SocketLike
  /** Every connection, oldest first. */
  ends: SocketEnd[]
  /** The newest connection, once there are so many. */
  connected(count: number): Promise<SocketEnd>
  /** What the client has said of this type, on all of them. */
  said(type: string): Sent[]
}

export function createTestSockets(): TestSockets {
  const ends: SocketEnd[] = []

  class TestSocket implements SocketLike {
    readyState = 0
    readonly #listeners = new Map<string, ((event: never) => void)[]>()

    constructor(_url: string) {
      const end: SocketEnd = {
        sent: [],
        tell: (message) => {
          const data = JSON.stringify({ timestamp: 1, session_id: 's1', run_id: 'r1', ...message })
          this.#emit('message', { data })
        },
        drop: (code = 1006) => {
          this.readyState = 3
          this.#emit('close', { code })
        },
      }
      this.send = (data) => void end.sent.push(JSON.parse(data))
      ends.push(end)
      queueMicrotask(() => {
        this.readyState = 1
        this.#emit('open', {})
      })
    }

    send: (data: string) => void

    close() {
      this.readyState = 3
    }

    addEventListener(type: string, listener: (event: never) => void) {
      this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener])
    }

    #emit(type: string, event: object) {
      for (const listener of this.#listeners.get(type) ?? []) listener(event as never)
    }
  }

  return {
    WebSocket: TestSocket,
    ends,
    connected: (count) =>
      waitFor(() => (ends[count - 1]?.sent.length ? ends[count - 1] : undefined), {
        what: `connection ${count}`,
      }),
    said: (type) => ends.flatMap(({ sent }) => sent.filter((each) => each.type === type)),
  }
}
