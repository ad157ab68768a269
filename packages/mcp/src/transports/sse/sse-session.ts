import { createLane, type LaneOptions } from '../http/lane.ts'
import { ownOfPost, type PostSession } from '../http/session.ts'
import type { Protocol } from '../transport.ts'

export interface SseSession extends PostSession {
  agree(protocol: Protocol): void
}

/** The way to the address where a server takes messages. */
export function createSseSession(options: LaneOptions): SseSession {
  let post = createLane(options, ownOfPost)
  let protocol: Protocol | undefined

  return {
    // The address itself tells the session.
    id: undefined,
    get protocol() {
      return protocol
    },
    get post() {
      return post
    },
    agree(agreed) {
      protocol = agreed
      post = createLane(options, { ...ownOfPost, 'mcp-protocol-version': agreed.version })
    },
  }
}
