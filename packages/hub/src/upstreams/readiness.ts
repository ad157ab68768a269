import { type Clock, wait } from '@dataagent/guard'
import { McpError } from '@dataagent/mcp'
import type { ServerStatus } from '@dataagent/schema'
import type { Breaker } from './calls/breaker.ts'
import {
  cancelledError,
  closedHereError,
  quotaError,
  timeoutError,
  unavailableError,
} from './calls/errors.ts'
import type { UpstreamHealth, UpstreamKey } from './contract.ts'
import type { Way } from './leaving-ways.ts'
import type { LinkError } from './links/link.ts'
import type { Ways } from './ways.ts'

export interface ReadinessOptions {
  key: UpstreamKey
  ways: Ways
  breaker: Breaker
  owner: string
  clock: Clock
  /** What is to be said of it while it runs. */
  notice(): string | undefined
  /** With how long it has taken to connect, where it just has. */
  onHealth(health: UpstreamHealth, connectMs?: number): void
  onUnreachable(message: string): void
}

/** Whether an upstream can be used: for those who wait for it, and for those who watch it. */
export interface Readiness {
  readonly health: UpstreamHealth
  /** Something may have changed. */
  check(): void
  /** The breaker, or what is to be said of it. */
  noticeChanged(): void
  /** Waits while it is being connected; rejects at once with what else it is. */
  until(options: { ms: number; signal: AbortSignal | undefined }): Promise<Way>
  close(): Promise<void>
}

const beingConnected = 'It is being connected.'
/** Its tools stay offered while it is connected anew, here or by another process: calls wait. */
const anewMs = 2_000

export function createReadiness(options: ReadinessOptions): Readiness {
  const { key, ways, breaker, clock, owner } = options
  let changed = new AbortController()
  let isClosed = false
  let wasReady = false
  let told = toHealth(clock.now())
  /** Why it was last said to be unreachable; unset while it is not. */
  let toldWhy: string | undefined
  let cancelTelling: (() => void) | undefined

  return {
    get health() {
      return told
    },
    check() {
      const { state } = ways
      const isReady = state.status === 'ready'
      if (isReady && !wasReady) breaker.reset()
      tellHealth()
      if (state.status !== 'connecting') cancelTelling?.()
      if (isReady) toldWhy = undefined
      else if (state.status === 'error') tellUnreachable()
      else if (wasReady) cancelTelling = clock.after(anewMs, tellUnreachable)
      wasReady = isReady
      wake()
    },
    noticeChanged: tellHealth,
    async until({ ms, signal }) {
      const deadline = clock.monotonic() + ms
      for (;;) {
        if (isClosed) throw closedHereError('The connection to the server was closed.')
        if (ways.ready) return ways.ready
        const { state } = ways
        if (state.status === 'error') throw toCallError(state, nameOf(ways), clock)
        if (signal?.aborted) throw cancelledError(signal, false)
        const leftMs = deadline - clock.monotonic()
        if (leftMs <= 0) throw lateError(ms)
        await wait(clock, leftMs, AbortSignal.any([changed.signal, ...(signal ? [signal] : [])]))
      }
    },
    async close() {
      isClosed = true
      cancelTelling?.()
      wake()
      await ways.close()
    },
  }

  function tellUnreachable(): void {
    const { state } = ways
    const why = state.status === 'error' ? state.message : beingConnected
    if (why === toldWhy) return
    toldWhy = why
    options.onUnreachable(why)
  }

  function tellHealth(): void {
    const next = toHealth(told.since)
    if (isSame(next, told)) return
    const before = told
    told = next.status === told.status ? next : { ...next, since: clock.now() }
    const isNow = told.status === 'running' && before.fault === 'connecting'
    options.onHealth(told, isNow ? told.since - before.since : undefined)
  }

  function toHealth(since: number): UpstreamHealth {
    const { state, current } = ways
    const holder = current?.link.holder
    return {
      ...key,
      ...toStatus(state, options.notice()),
      breaker: breaker.state,
      holder: holder === undefined ? undefined : { owner: holder, own: holder === owner },
      since,
    }
  }

  function lateError(ms: number) {
    return timeoutError(`mcp: server "${nameOf(ways)}" was not connected within ${ms} ms`, false)
  }

  function wake(): void {
    changed.abort()
    changed = new AbortController()
  }
}

type Told = { status: ServerStatus; message?: string } & Pick<
  UpstreamHealth,
  'retry_at' | 'authorization_url' | 'fault'
>

function toStatus(state: Ways['state'], notice: string | undefined): Told {
  if (state.status === 'ready') return { status: 'running', ...(notice && { message: notice }) }
  if (state.status === 'connecting')
    return { status: 'stopped', message: beingConnected, fault: 'connecting' }
  const { message, fault, retry_at, authorization_url } = state
  return {
    status: 'error',
    message,
    fault,
    ...(retry_at !== undefined && { retry_at: Math.ceil(retry_at) }),
    ...(authorization_url !== undefined && { authorization_url }),
  }
}

function isSame(a: UpstreamHealth, b: UpstreamHealth): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function nameOf({ server }: Ways): string {
  return server.config.name
}

function toCallError(
  state: LinkError & { needsCredential?: boolean },
  name: string,
  clock: Clock,
): McpError {
  const { message, retry_at, authorization_url: authorizationUrl, needsCredential } = state
  if (state.quota) return quotaError(state.quota)
  if (needsCredential || authorizationUrl !== undefined) {
    const data = authorizationUrl === undefined ? {} : { data: { authorizationUrl } }
    return new McpError({ kind: 'sign_in', code: 'unauthenticated', message, ...data })
  }
  const told = `mcp: server "${name}" is not available: ${message}`
  const retryAfterMs = retry_at && Math.max(0, Math.ceil(retry_at - clock.now()))
  return unavailableError(told, { retryAfterMs, retryable: retry_at !== undefined })
}
