import { type Clock, wait } from '@dataagent/guard'
import { isPlainObject } from '@dataagent/schema/base'
import { backoffDelay } from '../backoff-delay.ts'
import { isMcpError, McpError, timeoutError } from '../errors.ts'
import type { Hold } from '../hold.ts'
import { metaKeys } from '../protocol/meta.ts'
import type { Peer } from '../protocol/peer.ts'
import { toTimeoutMs } from '../protocol/timeout.ts'
import type { JsonRpcNotification } from '../rpc/messages.ts'
import type { ServerCapabilities, ServerNotice } from './contract.ts'
import { type ListenFilter, toListFilter, toMissed } from './listen-filter.ts'
import { type ListenStream, openListenStream } from './listen-stream.ts'

const backoff = { firstMs: 1_000, maxMs: 60_000 }
/** A stream that lasted so long was a good one: the next begins with a short backoff. */
const goodMs = 10_000

export interface ListeningOptions {
  peer: Peer
  clock: Clock
  /** How long the server may take to agree. */
  timeoutMs: number
  /** Held while somebody waits for the server to agree. */
  hold: Hold
  /** Aborts when the client closes. */
  closing: AbortSignal
  onNotice(notice: ServerNotice): void
  onWarning(text: string): void
}

/** Hears of changes at a server of the modern era, over one stream that is opened anew at need. */
export interface Listening {
  /** Asks to be told of changed lists, as far as the server offers it. Returns at once. */
  followLists(capabilities: ServerCapabilities): void
  /** Resolves when the server has agreed to tell of the resource. */
  addResource(uri: string, timeoutMs?: number): Promise<void>
  removeResource(uri: string): void
  /** Whether a notification belongs to what was asked for. */
  isWanted(notification: JsonRpcNotification): boolean
  acknowledged(params: Record<string, unknown>): void
  /** The server ended the stream that this request opened. */
  endedByServer(requestId: unknown): void
}

/** Creates the listening end of a connection; nothing is asked yet. */
export function createListening(options: ListeningOptions): Listening {
  const { peer, clock, timeoutMs, hold, closing, onNotice, onWarning } = options
  const streams = new Set<ListenStream>()
  const uris = new Set<string>()
  let lists: ListenFilter = {}
  let current: ListenStream | undefined
  let attempt = 0
  let isReopening = false
  let queue: Promise<unknown> = Promise.resolve()

  return {
    followLists(capabilities) {
      lists = toListFilter(capabilities)
      renew().catch(reopen)
    },
    async addResource(uri, ms) {
      const allowedMs = toTimeoutMs(ms, timeoutMs)
      uris.add(uri)
      hold.hold()
      try {
        const agreed = await renew(allowedMs)
        if (!agreed?.resourceSubscriptions?.includes(uri)) throw notOffered()
      } catch (error) {
        uris.delete(uri)
        throw error
      } finally {
        hold.release()
      }
    },
    removeResource(uri) {
      uris.delete(uri)
      renew().catch(reopen)
    },
    isWanted({ params }) {
      const id = subscriptionId(params)
      return id === undefined || find(id) !== undefined
    },
    acknowledged(params) {
      find(subscriptionId(params))?.acknowledge(params)
    },
    endedByServer(requestId) {
      find(requestId)?.end({ told: true })
    },
  }

  function find(id: unknown): ListenStream | undefined {
    return id === undefined ? undefined : [...streams].find((stream) => stream.id === id)
  }

  /** Listens to what is wished now: the new stream takes over before the old one ends. */
  function renew(ms = timeoutMs): Promise<ListenFilter | undefined> {
    const mine = queue.then(async () => {
      const filter = toFilter()
      const next = filter === undefined ? undefined : begin(filter)
      const agreed = next && (await untilAgreed(next, ms))
      current?.end()
      current = next && streams.has(next) ? next : undefined
      if (current !== next) reopen(undefined)
      return agreed
    })
    queue = mine.catch(() => undefined)
    return mine
  }

  function toFilter(): ListenFilter | undefined {
    const filter = uris.size === 0 ? lists : { ...lists, resourceSubscriptions: [...uris] }
    return Object.keys(filter).length === 0 || closing.aborted ? undefined : filter
  }

  function begin(filter: ListenFilter): ListenStream {
    const stream = openListenStream(peer, filter)
    const begun = clock.monotonic()
    streams.add(stream)
    void stream.ended.then((error) => {
      streams.delete(stream)
      if (stream !== current) return
      current = undefined
      if (clock.monotonic() - begun >= goodMs) attempt = 0
      reopen(error)
    })
    return stream
  }

  async function untilAgreed(stream: ListenStream, ms: number): Promise<ListenFilter> {
    const over = new AbortController()
    const late = wait(clock, ms, over.signal).then(() => {
      throw timeoutError('"subscriptions/listen"', ms, false)
    })
    try {
      return await Promise.race([stream.agreed, late])
    } catch (error) {
      stream.end()
      throw error
    } finally {
      over.abort()
    }
  }

  /** Tries again after a while, unless there is no sense in it or somebody is about to. */
  function reopen(error: unknown): void {
    if (closing.aborted || isReopening || isFinal(error)) return
    isReopening = true
    void reopenLater().catch(reopen)
  }

  async function reopenLater(): Promise<void> {
    attempt += 1
    await wait(clock, backoffDelay(attempt, backoff, Math.random), closing)
    isReopening = false
    if (closing.aborted || current !== undefined) return
    const agreed = await renew()
    if (agreed !== undefined) for (const notice of toMissed(agreed)) onNotice(notice)
  }

  function isFinal(error: unknown): boolean {
    if (isMcpError(error, 'closed') || isMcpError(error, 'sign_in')) return true
    if (!isMcpError(error) || error.rpc?.code !== -32601) return false
    onWarning('the server does not tell of changes: it has no "subscriptions/listen"')
    return true
  }
}

function subscriptionId(params: Record<string, unknown> | undefined): unknown {
  return isPlainObject(params?._meta) ? params._meta[metaKeys.subscriptionId] : undefined
}

function notOffered(): McpError {
  const message = 'mcp: the server does not tell of changes to this resource'
  return new McpError({ kind: 'protocol', code: 'upstream_failed', message })
}
