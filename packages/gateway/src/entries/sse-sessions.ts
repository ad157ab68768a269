import { randomBytes } from 'node:crypto'
import type { PeerMessage, Peers } from '../peers/index.ts'
import type { Caller } from '../protocol/index.ts'

/** What a message of a client brings to the stream that it belongs to. */
export interface Letter {
  /**
   * The message. Without, `knock` only asks whether the stream would take one, and `too_large` says
   * that there was one that could not be read.
   */
  content: { kind: 'message'; text: string } | { kind: 'knock' | 'too_large' }
  /** The credential, sealed: it goes through the KV. */
  sealed: string | undefined
  /** Who posts, where the credential holds; else what it showed, as HMAC. */
  caller: Caller | undefined
  credential: string | undefined
  /** Whether nobody can tell now if the credential holds. */
  isUnsure?: boolean
}

/** `accepted`: whatever is to be said is said on the stream. */
export type Taken = 'accepted' | 'not_theirs' | 'gone'

type Take = (letter: Letter) => Exclude<Taken, 'gone'>

/** The open streams of HTTP+SSE, of all processes. */
export interface SseSessions {
  /** Gives the id that messages are posted to. */
  open(take: Take): { session_id: string; end(): void }
  post(session_id: string, letter: Letter): Promise<Taken>
}

const kind = 'sse'

export interface SseSessionsOptions {
  peers: Pick<Peers, 'name' | 'ask' | 'on'>
}

/** An id names the process that holds the stream: a message may reach any of them. */
export function createSseSessions({ peers }: SseSessionsOptions): SseSessions {
  const open = new Map<string, Take>()

  function take(session_id: string, letter: Letter): Taken {
    return open.get(session_id)?.(letter) ?? 'gone'
  }

  peers.on(kind, ({ session_id, letter }: PeerMessage) =>
    take(String(session_id), letter as Letter),
  )

  return {
    open(handler) {
      const session_id = `${peers.name}.${randomBytes(24).toString('base64url')}`
      open.set(session_id, handler)
      return { session_id, end: () => void open.delete(session_id) }
    },
    async post(session_id, letter) {
      const [owner = ''] = session_id.split('.', 1)
      if (owner === peers.name) return take(session_id, letter)
      if (!/^[0-9a-f]{16}\.[\w-]{32}$/.test(session_id)) return 'gone'
      const answer = await peers.ask(owner, { kind, session_id, letter })
      return (answer?.value as Taken | undefined) ?? 'gone'
    },
  }
}
