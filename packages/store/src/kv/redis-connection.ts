import { createRequire } from 'node:module'
import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { Redis, RedisOptions } from 'ioredis'
import type { RedisScript } from './redis-scripts.ts'
import { describeRedis, type RedisAddress } from './redis-url.ts'
import { awayError, closedReason, createStateCell, type StateCell } from './state.ts'

export interface RedisConnectionOptions {
  address: RedisAddress
  clock: Clock
  /** How long connecting or one command may take. */
  timeoutMs: number
}

/**
 * One connection that comes back by itself. Its errors are AppErrors without arguments, users or
 * passwords.
 */
export interface RedisConnection extends AsyncDisposable {
  readonly client: Redis
  readonly state: StateCell
  /** Runs a command; at once `store_unavailable` while the server is known to be away. */
  run<T>(command: (client: Redis) => Promise<T>): Promise<T>
  runScript(script: RedisScript, key: string, ...args: (string | number)[]): Promise<unknown>
}

const require = createRequire(import.meta.url)
const longestBackoffMs = 1_000
const closedByServer = 'the connection closed'

export function connectRedis(options: RedisConnectionOptions): RedisConnection {
  const { address, clock, timeoutMs } = options
  const place = describeRedis(address)
  const state = createStateCell({ status: 'away', reason: `${place} has not answered yet` })
  const Client = loadRedis()
  const client = new Client({ ...address, ...clientOptions(timeoutMs) })
  const firstAnswer = settleFirst(client)
  const stopPings = keepPinging(client, clock, timeoutMs)
  let lastError = closedByServer

  client.on('error', (error) => {
    lastError = textOf(error)
  })
  client.on('ready', () => {
    lastError = closedByServer
    state.set({ status: 'ready' })
  })
  client.on('close', () => state.set({ status: 'away', reason: `${place}: ${lastError}` }))

  async function run<T>(command: (client: Redis) => Promise<T>): Promise<T> {
    if (client.status !== 'ready') await waitUsable()
    try {
      return await command(client)
    } catch (error) {
      throw toStoreError(error, place)
    }
  }

  async function waitUsable(): Promise<void> {
    await firstAnswer
    const { current } = state
    if (current.status === 'closed') throw awayError(closedReason)
    if (current.status === 'away') throw awayError(current.reason)
  }

  return {
    client,
    state,
    run,
    runScript: ({ sha, lua }, key, ...args) =>
      run((redis) =>
        redis.evalsha(sha, 1, key, ...args).catch((error: Error) => {
          if (!error.message.startsWith('NOSCRIPT')) throw error
          return redis.eval(lua, 1, key, ...args)
        }),
      ),
    async [Symbol.asyncDispose]() {
      state.set({ status: 'closed' })
      stopPings()
      client.disconnect()
    },
  }
}

/** The client is loaded with the first connection: who has no Redis does not pay for it. */
function loadRedis(): typeof Redis {
  return require('ioredis').Redis
}

function clientOptions(timeoutMs: number) {
  return {
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    // Past this a server that is silent counts as gone, and the connection is made anew.
    socketTimeout: timeoutMs + 100,
    // ioredis waits that long on closing, also where there is no connection any more.
    disconnectTimeout: 100,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt: number) =>
      Math.min(25 * 2 ** attempt, longestBackoffMs) * (0.5 + Math.random() / 2),
    // After a failover the old primary refuses writes: find the new one.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  } satisfies RedisOptions
}

/** Resolves when the first attempt to connect has ended, either way. */
function settleFirst(client: Redis): Promise<void> {
  return new Promise((resolve) => {
    client.once('ready', resolve)
    client.once('close', resolve)
    client.once('end', resolve)
  })
}

/** A silent server is found out also while nothing is asked; the socket timeout does the rest. */
function keepPinging(client: Redis, clock: Clock, everyMs: number): () => void {
  let cancel = clock.after(everyMs, ping)
  return () => cancel()

  function ping(): void {
    if (client.status === 'ready') client.ping().catch(() => {})
    cancel = clock.after(everyMs, ping)
  }
}

/** ioredis hangs the command with its arguments on its errors: only the text is kept. */
function toStoreError(error: unknown, place: string): AppError {
  const text = textOf(error)
  const data = { store: 'key-value' }
  if (text.startsWith('OOM'))
    return new AppError('storage_full', `${place} is out of memory.`, { data })
  return awayError(`${place}: ${text}`)
}

/** Of a failure on all addresses of a name the message is empty and the code tells. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
}
