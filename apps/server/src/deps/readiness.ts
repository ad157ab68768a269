import type { Clock } from '@dataagent/guard'
import { isAppError, type ReadinessResponse } from '@dataagent/schema'
import type { Logger } from '../log/index.ts'
import { pause } from './close-within.ts'

/** Something outside the process without which requests fail. */
export interface Dependency {
  name: string
  /** Called until it succeeds. */
  open(): Promise<void>
  /** Called now and then once open; throws while it is away. */
  check(): Promise<void>
}

/** How a dependency is, and since when. */
type DependencyState = ReadinessResponse['dependencies'][number]

export interface Readiness {
  /** Begins to open the dependencies. */
  start(): void
  isReady(): boolean
  states(): DependencyState[]
  /** Looks at once instead of at the next turn: a request has just failed. */
  recheck(): void
  /** From now on not ready, whatever the dependencies say. */
  stop(): void
}

export interface ReadinessOptions {
  dependencies: Dependency[]
  clock: Clock
  log: Logger
  /** A failure that waiting will not mend: wrong settings, wrong key. */
  onFatal(error: unknown): void
  checkEveryMs?: number
  /** Longest wait between two tries; they begin at 100 ms and double. */
  maxBackoffMs?: number
}

/**
 * Opens the dependencies in the background once started, watches them and says in one record each
 * time one goes or comes back.
 */
export function watchReadiness(options: ReadinessOptions): Readiness {
  let stopping = false
  const watches = options.dependencies.map((dependency) =>
    watch(dependency, { ...options, isStopping: () => stopping }),
  )
  return {
    start() {
      for (const { run } of watches) void run()
    },
    isReady: () => !stopping && watches.every(({ state }) => state.status === 'ready'),
    states: () => watches.map(({ state }) => ({ ...state })),
    recheck() {
      for (const { state, wake } of watches) if (state.status === 'ready') wake()
    },
    stop() {
      stopping = true
      for (const { wake } of watches) wake()
    },
  }
}

/** Whether it is ready by then; asks every 20 ms. */
export async function untilReady(
  readiness: Pick<Readiness, 'isReady'>,
  clock: Clock,
  withinMs: number,
): Promise<boolean> {
  const until = clock.monotonic() + withinMs
  while (!readiness.isReady() && clock.monotonic() < until) await pause(clock, 20)
  return readiness.isReady()
}

interface Watch {
  state: DependencyState
  /** Looks again and again until the readiness is stopped. */
  run(): Promise<void>
  wake(): void
}

function watch(
  dependency: Dependency,
  {
    clock,
    log,
    onFatal,
    isStopping,
    checkEveryMs = 1_000,
    maxBackoffMs = 1_000,
  }: ReadinessOptions & { isStopping(): boolean },
): Watch {
  const { name } = dependency
  const state: DependencyState = { name, status: 'connecting', since: clock.now() }
  let wake = () => {}
  let isOpen = false
  let failures = 0
  let isRefusalTold = false

  async function run(): Promise<void> {
    while (!isStopping()) {
      try {
        await (isOpen ? dependency.check() : dependency.open())
        onSuccess()
      } catch (error) {
        if (isStopping()) return
        if (isFatal(error) || !(isOpen || isAppError(error))) return onFatal(error)
        onFailure(error)
      }
      await rest(failures === 0 ? checkEveryMs : backoff(failures, maxBackoffMs))
    }
  }

  function onSuccess(): void {
    isOpen = true
    failures = 0
    isRefusalTold = false
    if (state.status === 'ready') return
    if (state.status === 'away') log.info({ dependency: name }, `the ${name} is back`)
    moveTo('ready')
  }

  function onFailure(error: unknown): void {
    failures += 1
    if (isStopping()) return
    const isRefusal = refuses(error)
    if (state.status === 'away' && (!isRefusal || isRefusalTold)) return
    if (state.status !== 'away') moveTo('away')
    isRefusalTold ||= isRefusal
    const reason = error instanceof Error ? error.message : String(error)
    const how = isRefusal
      ? 'answers, but refuses its work; trying again'
      : 'is away; waiting for it'
    log.error({ dependency: name, reason, ...wholeOf(error) }, `the ${name} ${how}`)
    log.debug({ dependency: name, error }, `why the ${name} is away`)
  }

  function moveTo(status: DependencyState['status']): void {
    state.status = status
    state.since = clock.now()
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (isStopping()) return resolve()
      const cancel = clock.after(ms, resolve)
      wake = () => {
        cancel()
        resolve()
      }
    })
  }

  return { state, run, wake: () => wake() }
}

function isFatal(error: unknown): boolean {
  return isAppError(error, 'config_invalid') || isAppError(error, 'secret_unreadable')
}

/** Whether it answers, and refuses what is asked of it: somebody has to mend that. */
function refuses(error: unknown): boolean {
  return isAppError(error) && (error.code === 'internal' || error.data?.fault === 'denied')
}

/** What is not expected has its reason in its causes alone. */
function wholeOf(error: unknown): { error?: unknown } {
  return isAppError(error) && error.code !== 'internal' ? {} : { error }
}

/** Doubles from 100 ms, with jitter so that nodes do not come back all at once. */
function backoff(failures: number, longest: number): number {
  return Math.min(longest, 50 * 2 ** Math.min(failures, 16)) * (0.75 + Math.random() / 4)
}
