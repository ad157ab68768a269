import { type Clock, wait } from '@dataagent/guard'
import { AppError, isPlainObject, readJson } from '@dataagent/schema'
import type { Kv } from '../../kv-port.ts'
import { type Asking, createAsking } from './asking.ts'
import { createFrameReader, toFrames } from './frames.ts'
import {
  channels,
  type Downward,
  type Gone,
  type News,
  type Noticed,
  type Upward,
} from './messages.ts'
import { createNoticeLane } from './notice-lane.ts'
import { createServing, type Serving } from './serving.ts'

export interface RelayOptions {
  kv: Kv
  /** This process's name, which no other has. */
  owner: string
  clock: Clock
  onLog(text: string): void
}

/** Calls between the processes that share a KV, to the connections that each of them holds. */
export interface Relay {
  readonly owner: string
  readonly asking: Pick<Asking, 'ask' | 'lost'>
  serve: Serving['serve']
  /** Says to the holder that a connection is still needed. */
  keep(holder: string, pool: string): void
  /** Tells all others; in order, but for notices, which give way to all else. */
  tell(news: News | Gone | Noticed): void
  /** `undefined`: something may have been missed. */
  follow(pool: string, handler: (news: News | Gone | undefined) => void): () => void
  /** What other processes tell of the servers that they are connected to. */
  onNotice(handler: (noticed: Noticed) => void): void
  /** Begins to listen; again and again while the KV is away. */
  start(): void
  /**
   * Settles once this process can be asked and told, or the signal aborts; rejects where that takes
   * too long.
   */
  ready(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

const retryMs = 1_000
const readyMs = 5_000

/** Creates a relay that does not listen yet. */
export function createRelay({ kv, owner, clock, onLog }: RelayOptions): Relay {
  const closing = new AbortController()
  const listening = new AbortController()
  const followers = new Map<string, Set<(news: News | Gone | undefined) => void>>()
  const serving = createServing({
    clock,
    answer: (to, message) => send(channels.down(to), message),
  })
  const asking = createAsking({
    owner,
    clock,
    send: (to, message) => send(channels.up(to), message),
  })
  const watchers = new Set<(noticed: Noticed) => void>()
  const lane = createNoticeLane({ send: (noticed) => send(channels.news, noticed) })
  const pending = new Set<Promise<void>>()
  const stops: (() => Promise<void>)[] = []

  return {
    owner,
    asking,
    serve: serving.serve,
    keep: (holder, pool) => sendSoon(channels.up(holder), { kind: 'keep', pool }),
    tell(news) {
      if (news.kind === 'notice') lane.post(news)
      else sendSoon(channels.news, news)
    },
    follow(pool, handler) {
      const handlers = followers.get(pool) ?? new Set()
      followers.set(pool, handlers.add(handler))
      return () => {
        handlers.delete(handler)
        if (handlers.size === 0 && followers.get(pool) === handlers) followers.delete(pool)
      }
    },
    onNotice: (handler) => void watchers.add(handler),
    start: () => void listen(),
    async ready(signal) {
      if (listening.signal.aborted) return
      await wait(clock, readyMs, AbortSignal.any([signal, listening.signal]))
      if (!signal.aborted && !listening.signal.aborted) throw notListening()
    },
    async close() {
      closing.abort()
      asking.lostAll()
      await serving.close()
      await lane.close()
      await Promise.all(pending)
      await Promise.all(stops.map((stop) => stop()))
    },
  }

  async function listen(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await subscribe<Upward>(channels.up(owner), serving.asked)
        await subscribe<Downward>(channels.down(owner), asking.answered, asking.lostAll)
        await subscribe<News | Gone | Noticed>(channels.news, hear, hearGap)
        return listening.abort()
      } catch (error) {
        onLog(`the KV is away, other processes cannot be heard: ${String(error)}`)
        await Promise.all(stops.splice(0).map((stop) => stop()))
        await wait(clock, retryMs, closing.signal)
      }
    }
  }

  async function subscribe<T>(
    channel: string,
    handle: (message: T) => void,
    onGap: () => void = () => undefined,
  ): Promise<void> {
    const read = createFrameReader(clock)
    const take = (frame: string) => {
      const text = read(frame)
      const message = text === undefined ? undefined : readJson(text, { what: channel })
      if (isPlainObject(message)) handle(message as T)
    }
    stops.push(await kv.subscribe(channel, take, { onGap }))
  }

  function hear(news: News | Gone | Noticed): void {
    if (news.kind === 'notice') {
      if (news.from !== owner) for (const watcher of watchers) watcher(news)
      return
    }
    for (const handler of followers.get(news.pool) ?? []) handler(news)
  }

  function hearGap(): void {
    for (const handlers of followers.values()) for (const handler of handlers) handler(undefined)
  }

  async function send(channel: string, message: object): Promise<void> {
    const frames = toFrames(JSON.stringify(message))
    await Promise.all(frames.map((frame) => kv.publish(channel, frame)))
  }

  /** What is lost is found out by the next look at the lease. */
  function sendSoon(channel: string, message: object): void {
    const sent = send(channel, message)
      .catch(() => undefined)
      .finally(() => pending.delete(sent))
    pending.add(sent)
  }
}

function notListening(): AppError {
  return new AppError('store_unavailable', 'other processes cannot be heard yet')
}
