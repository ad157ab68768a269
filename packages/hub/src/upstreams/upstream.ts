import type { Clock } from '@dataagent/guard'
import { type CallToolResult, isMcpError } from '@dataagent/mcp'
import type { RegisteredServer, Servers } from '../servers/index.ts'
import { createBreaker } from './calls/breaker.ts'
import type { CallPlaces } from './calls/call-places.ts'
import { timeoutError, unavailableError, untakenError } from './calls/errors.ts'
import { createRetryBudget } from './calls/retry-budget.ts'
import { sendWithRetries } from './calls/send-with-retries.ts'
import { unlessAborted } from './calls/unless-aborted.ts'
import type { UpstreamAnswer, UpstreamCall, UpstreamHealth, UpstreamKey } from './contract.ts'
import { leaveWay, type Way } from './leaving-ways.ts'
import type { LinkWait } from './links/link.ts'
import { createReadiness } from './readiness.ts'
import { createWays, type OpenLink } from './ways.ts'

export interface UpstreamOptions {
  key: UpstreamKey
  server: RegisteredServer
  servers: Pick<Servers, 'resolveFor'>
  openLink: OpenLink
  places: CallPlaces
  owner: string
  clock: Clock
  drainMs: number
  /** None of these may throw. */
  onHealth(health: UpstreamHealth): void
  onOffers(tools: readonly unknown[]): Promise<void>
  /** Settles when the catalogue has what it was last told of the server; rejects with why not. */
  untilTaken(): Promise<void>
  onUnreachable(message: string): void
  onLog(text: string): void
  onStderr(line: string): void
}

/** One server under one credential, as the whole process sees it. */
export interface Upstream {
  readonly key: UpstreamKey
  readonly health: UpstreamHealth
  readonly isReady: boolean
  /** Whether calls are under way: waiting ones and those of other processes count too. */
  readonly underWay: number
  /** When it was last used, by the monotonic clock. */
  readonly usedAt: number
  call(call: UpstreamCall): Promise<UpstreamAnswer>
  refresh(options: LinkWait): Promise<void>
  reconnect(options: LinkWait): Promise<void>
  /** Its configuration or its credentials have changed. */
  changed(server: RegisteredServer): void
  /** It is used in another way than by calls. */
  touch(): void
  close(): Promise<void>
}

/** Creates an upstream, and begins to connect it in the background. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { key, places, clock } = options
  const { name } = options.server.config
  const budget = createRetryBudget({ clock })
  const breaker = createBreaker({ clock, onChange: () => readiness.breakerChanged() })
  const ways = createWays({ ...options, touch, onChange: () => readiness.check() })
  const readiness = createReadiness({ ...options, ways, breaker })
  let underWay = 0
  let usedAt = clock.monotonic()

  return {
    key,
    get health() {
      return readiness.health
    },
    get isReady() {
      return ways.state.status === 'ready'
    },
    get underWay() {
      return underWay + (ways.current?.underWay ?? 0)
    },
    get usedAt() {
      return usedAt
    },
    async call(call) {
      underWay += 1
      touch()
      try {
        const what = `${name}.${call.tool}`
        return await sendWithRetries(call, { clock, budget, what, send })
      } finally {
        underWay -= 1
        touch()
      }
    },
    async refresh(given) {
      touch()
      const wasReady = ways.state.status === 'ready'
      const way = await readiness.until(patience(given))
      // The first list of a connection has just been told.
      if (wasReady) await way.link.refresh(given)
      await untilOffered(given)
    },
    async reconnect(given) {
      touch()
      await ways.resolve()
      if (ways.current === undefined) await readiness.until(patience(given))
      await ways.current?.link.reconnect(given)
      await untilOffered(given)
    },
    changed: ways.changed,
    touch,
    close: () => readiness.close(),
  }

  function touch(): void {
    usedAt = clock.monotonic()
  }

  function patience({ signal }: LinkWait) {
    return { ms: options.server.config.timeout * 1_000, signal }
  }

  /** Who asked for the tools finds them in the catalogue. */
  async function untilOffered(given: LinkWait): Promise<void> {
    await readiness.until(patience(given))
    await unlessAborted(given.signal, options.untilTaken().catch(rejectUntaken))
  }

  function rejectUntaken(cause: unknown): never {
    throw untakenError(name, cause)
  }

  async function send(call: UpstreamCall, leftMs: number): Promise<CallToolResult> {
    places.enter()
    try {
      const begun = clock.monotonic()
      const way = ways.ready ?? (await readiness.until({ ms: leftMs, signal: call.options.signal }))
      const timeoutMs = leftMs - (clock.monotonic() - begun)
      if (timeoutMs <= 0)
        throw timeoutError(`mcp: server "${name}" was not connected in time`, false)
      call.check?.()
      return await sendOver(way, call, timeoutMs)
    } finally {
      places.leave()
    }
  }

  async function sendOver(
    way: Way,
    call: UpstreamCall,
    timeoutMs: number,
  ): Promise<CallToolResult> {
    const admission = breaker.admit()
    if (typeof admission === 'number') throw openError(admission)
    way.underWay += 1
    try {
      const { signal, onProgress, trace, meta } = call.options
      const given = { signal, onProgress, trace, meta, timeoutMs }
      const result = await way.link.call(call.tool, call.args, given)
      breaker.succeeded(admission)
      return result
    } catch (error) {
      if (isMcpError(error)) breaker.failed(admission, error)
      throw error
    } finally {
      leaveWay(way)
    }
  }

  function openError(retryAfterMs: number) {
    const message = `mcp: server "${name}" fails its calls and is left alone for a while.`
    return unavailableError(message, { breaker: 'open', retryAfterMs: Math.ceil(retryAfterMs) })
  }
}
