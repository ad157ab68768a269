import { protocolError } from '../errors.ts'
import type { Peer, PeerCallOptions } from '../protocol/peer.ts'
import { type ListenFilter, toAgreed } from './listen-filter.ts'

/** One `subscriptions/listen` request: it lasts as long as there is something to hear. */
export interface ListenStream {
  /** The id of the request, by which notifications name their stream. */
  readonly id: number | undefined
  /** What the server agreed to tell. Rejects when the stream ends before that. */
  readonly agreed: Promise<ListenFilter>
  /** Resolves when the stream has ended, with why where it was not the server's wish. */
  readonly ended: Promise<unknown>
  acknowledge(params: Record<string, unknown>): void
  /** Ends it; `told` when the server knows already. */
  end(options?: { told?: boolean }): void
}

export function openListenStream(peer: Peer, filter: ListenFilter): ListenStream {
  const controller = new AbortController()
  const { promise: agreed, resolve, reject } = Promise.withResolvers<ListenFilter>()
  let id: number | undefined
  const options: PeerCallOptions = {
    endless: true,
    quiet: false,
    signal: controller.signal,
    onId: (given) => {
      id = given
    },
  }
  agreed.catch(() => undefined)

  return {
    get id() {
      return id
    },
    agreed,
    // The server may agree at once: by then the stream must be known.
    ended: Promise.resolve().then(run),
    acknowledge: ({ notifications }) => resolve(toAgreed(notifications)),
    end({ told = false } = {}) {
      options.quiet = told
      controller.abort()
    },
  }

  async function run(): Promise<unknown> {
    try {
      await peer.call('subscriptions/listen', { notifications: filter }, options)
      reject(protocolError('the server ended "subscriptions/listen" at once'))
      return undefined
    } catch (error) {
      reject(error)
      return error
    }
  }
}
