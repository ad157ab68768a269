import type { Clock } from '@dataagent/guard'
import { type CallToolResult, isMcpError, type ServerNotice } from '@dataagent/mcp'
import { aroundQuestions } from '../around-questions.ts'
import type { Edition, RegisteredServer, Servers } from '../servers/index.ts'
import { createBreaker } from './calls/breaker.ts'
import { type CallPlaces, takePlace } from './calls/call-places.ts'
import { timeoutError, unavailableError, untakenError } from './calls/errors.ts'
import { createRetryBudget } from './calls/retry-budget.ts'
import { sendWithRetries } from './calls/send-with-retries.ts'
import { timeQuestions } from './calls/time-questions.ts'
import { unlessAborted } from './calls/unless-aborted.ts'
import type { UpstreamAnswer, UpstreamCall, UpstreamHealth, UpstreamKey } from './contract.ts'
import { leaveWay, type Way } from './leaving-ways.ts'
import { createLevelWish } from './level-wish.ts'
import type { Link, LinkOptions, LinkServer, LinkWait } from './links/link.ts'
import type { RefusedWish, Wishes } from './links/wishes.ts'
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
  toolsMax: number
  /** None of these may throw. */
  onHealth(health: UpstreamHealth, connectMs?: number): void
  onOffers(tools: readonly unknown[]): Promise<void>
  /** Settles when the catalogue has what it was last told of the server; rejects with why not. */
  untilTaken(): Promise<void>
  onUnreachable(message: string): void
  onNotice(notice: ServerNotice): void
  /** What this process wants to be told by the server. */
  wishes(): Wishes
  onLog(text: string): void
  onStderr(line: string): void
}

/** One server under one credential, as the whole process sees it. */
export interface Upstream {
  readonly key: UpstreamKey
  readonly server: RegisteredServer
  readonly health: UpstreamHealth
  readonly isReady: boolean
  /** Set while ready. */
  readonly description: LinkServer | undefined
  /** Whether calls are under way: waiting ones and those of other processes count too. */
  readonly underWay: number
  /** When it was last used, by the monotonic clock. */
  readonly usedAt: number
  call(call: UpstreamCall): Promise<UpstreamAnswer>
  ask(call: UpstreamCall): Promise<UpstreamAnswer<Record<string, unknown>>>
  /** Makes the wishes of this process known; gives those that are refused. */
  wish(options: LinkWait): Promise<RefusedWish[]>
  /** As `wish`, for the log level alone: see `LevelWish`. */
  askLevel(level: string): Promise<void>
  refresh(options: LinkWait): Promise<void>
  reconnect(options: LinkWait): Promise<void>
  /** Its configuration or its credentials have changed. */
  changed(server: RegisteredServer): void
  /** It goes on as it is, for the sessions of an edition: under that id from now on. */
  becomes(edition: Edition): void
  /** It is used in another way than by calls. */
  touch(): void
  /** As `Ways` says it. */
  handOver(ms: number): Promise<void>
  close(): Promise<void>
}

/** Creates an upstream, and begins to connect it in the background. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { places, clock } = options
  const key = { ...options.key }
  const { name } = options.server.config
  const budget = createRetryBudget({ clock })
  let notice: string | undefined
  const breaker = createBreaker({ clock, onChange: () => readiness.noticeChanged() })
  const ways = createWays({ ...options, key, touch, onChange: changed, onOffers })
  const readiness = createReadiness({ ...options, key, ways, breaker, notice: () => notice })
  const levelWish = createLevelWish({ clock, wish: () => wish({}) })
  let underWay = 0
  /** Whether the server may have been told of wishes. */
  let hadWishes = false
  let usedAt = clock.monotonic()

  return {
    key,
    get server() {
      return ways.server
    },
    get health() {
      return readiness.health
    },
    get isReady() {
      return ways.state.status === 'ready'
    },
    get description() {
      return ways.ready?.link.server
    },
    get underWay() {
      const isWatched = options.wishes().uris.length > 0
      return underWay + (ways.current?.underWay ?? 0) + Number(isWatched)
    },
    get usedAt() {
      return usedAt
    },
    call: run,
    async ask(call) {
      const { result, attempts } = await run({ ...call, isAsk: true })
      return { result: result as Record<string, unknown>, attempts }
    },
    wish,
    askLevel: levelWish.ask,
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
    becomes(edition) {
      key.server_id = edition.server_id
      ways.changed(edition)
      readiness.check()
    },
    touch,
    handOver: ways.handOver,
    close: () => readiness.close(),
  }

  function onOffers(tools: readonly unknown[]): Promise<void> {
    const { toolsMax } = options
    notice = tools.length > toolsMax ? tooManyTools(toolsMax) : undefined
    readiness.noticeChanged()
    return options.onOffers(tools)
  }

  function touch(): void {
    usedAt = clock.monotonic()
  }

  async function wish(given: LinkWait): Promise<RefusedWish[]> {
    touch()
    const way = await readiness.until(patience(given))
    hadWishes = true
    return await unlessAborted(given.signal, way.link.wish(options.wishes()))
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

  /** A way that is ready, or another one than before, knows of no wishes. */
  function changed(): void {
    readiness.check()
    levelWish.forget()
    const wishes = options.wishes()
    const hasWishes = wishes.uris.length > 0 || wishes.level !== undefined
    if (ways.ready === undefined || (!hasWishes && !hadWishes)) return
    hadWishes = hasWishes
    ways.ready.link.wish(wishes).catch(() => undefined)
  }

  async function run(call: Sent): Promise<UpstreamAnswer> {
    underWay += 1
    touch()
    try {
      const means = { clock, budget, what: `${name}.${call.tool}`, send }
      const { questions } = call.options
      if (questions === undefined) return await sendWithRetries(call, means)
      const timed = timeQuestions(questions, clock)
      const options = { ...call.options, questions: timed.questions }
      return await sendWithRetries({ ...call, options }, { ...means, askedMs: timed.tookMs })
    } finally {
      underWay -= 1
      touch()
    }
  }

  async function send(call: Sent, leftMs: number): Promise<CallToolResult> {
    const place = takePlace(places)
    try {
      const begun = clock.monotonic()
      const way = ways.ready ?? (await untilUsable(leftMs, call.options))
      const timeoutMs = leftMs - (clock.monotonic() - begun)
      if (timeoutMs <= 0)
        throw timeoutError(`mcp: server "${name}" was not connected in time`, false)
      call.check?.()
      const { questions } = call.options
      const asked = questions && aroundQuestions(questions, place.during)
      const options = { ...call.options, questions: asked }
      return await sendOver(way, { ...call, options }, timeoutMs)
    } finally {
      place.leave()
    }
  }

  /** Connected, and what it offers is known: whether the call may be made is judged by that. */
  async function untilUsable(ms: number, { signal }: LinkWait): Promise<Way> {
    const way = await readiness.until({ ms, signal })
    await unlessAborted(
      signal,
      options.untilTaken().catch(() => undefined),
    )
    return way
  }

  async function sendOver(way: Way, call: Sent, timeoutMs: number): Promise<CallToolResult> {
    const admission = breaker.admit()
    if (typeof admission === 'number') throw openError(admission)
    way.underWay += 1
    try {
      const result = await over(way.link, call, { ...call.options, timeoutMs })
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

function tooManyTools(max: number): string {
  return `It has more than ${max} tools: the first are listed (toolsPerServer, mcp_tools_per_server).`
}

interface Sent extends UpstreamCall {
  /** It is a method and no tool; its result is whatever that gives. */
  isAsk?: boolean
}

function over(link: Link, { tool, args, isAsk }: Sent, given: LinkOptions) {
  if (isAsk) return link.ask({ method: tool, params: args }, given) as Promise<CallToolResult>
  return link.call(tool, args, given)
}
