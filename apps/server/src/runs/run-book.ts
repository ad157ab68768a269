import type {
  AgentExecutor,
  OwnRunLeases,
  SessionLog,
  SessionManager,
  SessionStore,
} from '@dataagent/core'
import { type Clock, createOutage } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import { AppError, isAppError, type Session } from '@dataagent/schema'
import type { Identity } from '../identity/index.ts'
import type { RunRow, Runs } from '../ports/index.ts'
import { createCancelling } from './cancelling.ts'
import type { RunBook, RunRequest, StartedRun } from './contract.ts'
import { createFeed } from './feed.ts'
import { createFollower } from './follower.ts'
import { toFormerPrincipal } from './former-principal.ts'
import { createLaunch, type Launch, type LaunchOptions } from './launch.ts'
import { createLocalRuns } from './local-runs.ts'
import { createPickUp, type PickUpOptions } from './pick-up.ts'
import { createQueued } from './queued.ts'
import { createSessionChannels } from './session-channel.ts'
import { createSignsOfLife } from './signs-of-life.ts'
import { createTurnQueue } from './turn-queue.ts'
import { createWatchers } from './watchers.ts'

export interface RunBookOptions
  extends Pick<LaunchOptions, 'runs' | 'clock' | 'owner' | 'approvalsOf' | 'onTurn' | 'onError'>,
    Pick<PickUpOptions, 'approvals' | 'onLog' | 'prepare' | 'saveTurns'>,
    Pick<Identity, 'stillMay' | 'holderOf'> {
  runs: Runs
  sessions: Pick<SessionManager<AgentExecutor>, 'getExecutor' | 'getSession'>
  store: Pick<SessionStore, 'get' | 'update'>
  log: SessionLog
  kv: Pick<Kv, 'publish' | 'subscribe' | 'get' | 'set' | 'acquireLease'>
  leases: OwnRunLeases
  /** Whether there are other processes. */
  isShared: boolean
  /** Whether all servers of the database have this KV. */
  isKvCommon: boolean
  clock: Clock
  /** Milliseconds to come back after, while the server is to be spared. */
  overloadedMs(): number | undefined
  settings: RunSettings
}

export interface RunSettings {
  maxRunning: number
  maxWaiting: number
  /** Of one tenant, so that others find a place. */
  maxPerTenant: number
  maxWaitingPerTenant: number
  onDisconnect: 'cancel' | 'finish'
  /** How long a run goes on that nobody reads. */
  reconnectMs: number
  /** What becomes of runs when the process is told to stop: other processes may go on with them. */
  onStop: 'leave' | 'cancel'
}

const titleMax = 80
/** Runs of one tenant that are looked through for those to be stopped. */
const openMax = 10_000
/** How long the first message of a session waits for the user's servers. */
const patienceMs = 5_000
/** What runs get that are left to others. */
const lastMs = 5_000

/** Puts the parts of the room together. */
export function createRunBook(options: RunBookOptions): RunBook {
  const { kv, log, clock, owner, isShared, settings, leases, stillMay, onLog } = options
  const outage = createOutage({
    away: 'other processes cannot be told of runs',
    back: 'other processes are told of runs again',
    ...{ clock, onLog },
  })
  const channels = isShared ? createSessionChannels({ kv, owner, clock, outage }) : undefined
  const feed = createFeed({ channels })
  const watchers = createWatchers({ channels, clock })
  const { onDisconnect, reconnectMs: windowMs } = settings
  const local = createLocalRuns({ channels, watchers, kv, clock, onDisconnect, windowMs })
  const { maxRunning: max, maxWaiting } = settings
  const { maxPerTenant: perTenant, maxWaitingPerTenant: waitingPerTenant } = settings
  const queue = createTurnQueue({ max, perTenant, maxWaiting, waitingPerTenant, clock })
  const launch = createLaunch({ ...options, feed, local })
  const queued = createQueued({ channels })
  const signs = createSignsOfLife({ ...options, local, onStranger })
  const pickUp = createPickUp({ ...options, signs, feed, local, queue, launch })
  const cancelling = createCancelling({ ...options, channels, local, queued, pickUp })
  let isStopping = false

  /** Can be cancelled from the first moment: before it has a place, and before its run is there. */
  async function begin(request: Omit<RunRequest, 'message'>, work: Launch['begin']) {
    const askedAt = clock.monotonic()
    using waiting = queued.add(request.session.session_id)
    const { signal: cancelled } = waiting
    const turn = await enter(request, cancelled)
    return await launch({ ...request, turn, cancelled, askedAt, begin: work })
  }

  /** Waits for a turn, unless it is cancelled meanwhile. */
  async function enter(request: Omit<RunRequest, 'message'>, cancelled: AbortSignal) {
    const { session, signal } = request
    if (isStopping) throw stopping()
    const before = local.get(session.session_id)
    if (before?.isOver) await before.ended
    const retryAfterMs = options.overloadedMs()
    if (retryAfterMs !== undefined) throw overloaded(retryAfterMs)
    const ended = AbortSignal.any(signal ? [signal, cancelled] : [cancelled])
    const turn = await enterPrepared(session, ended).catch((error) => {
      throw ended.aborted && !isAppError(error) ? wasCancelled() : error
    })
    if (!isStopping && !cancelled.aborted) return turn
    turn.leave()
    throw isStopping ? stopping() : wasCancelled()
  }

  async function enterPrepared(session: Session, signal: AbortSignal) {
    await options.prepare(session, { patienceMs, signal })
    return queue.enter(session.tenant_id, signal)
  }

  async function start({ message, ...request }: RunRequest): Promise<StartedRun> {
    const { session_id } = request.session
    const started = await begin(request, (executor, context) =>
      executor.execute(message, session_id, context),
    )
    if (started === undefined) throw new AppError('internal', 'the run did not begin')
    await name(request.session, message)
    return started
  }

  /** A session without a title is called by its first words. */
  async function name({ tenant_id, session_id, metadata }: Session, message: string) {
    if (metadata.title !== undefined) return
    const title = message.trim().replace(/\s+/g, ' ').slice(0, titleMax)
    const change = (session: Session) => ({ metadata: { title, ...session.metadata } })
    await options.store.update(tenant_id, session_id, change).catch((error) => {
      onLog({ level: 'error', message: 'a session was not given its title', error, session_id })
    })
  }

  function watch(session_id: string): () => void {
    const leave = watchers.enter(session_id)
    local.seen(session_id)
    return () => {
      local.seen(session_id)
      leave()
      local.look()
    }
  }

  /** Open runs of the key; or of the user and, whomever they acted for, of the user's keys. */
  async function findBegunBy({ tenant_id, user_id, api_key }: Whose): Promise<RunRow[]> {
    const open = await options.runs.open(openMax, tenant_id)
    if (api_key !== undefined) return open.filter((run) => run.api_key === api_key)
    const keys = [...new Set(open.flatMap((run) => run.api_key ?? []))]
    const holders = await Promise.all(keys.map((key) => options.holderOf(tenant_id, key)))
    const theirs = new Set(keys.filter((_, index) => holders[index] === user_id))
    return open.filter((run) => run.user_id === user_id || theirs.has(run.api_key ?? ''))
  }

  function onStranger(): void {
    const message =
      'another server uses this database: what servers share is not shared without one REDIS_URL'
    onLog({ level: 'error', message })
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => void clock.after(ms, resolve))
  }

  async function stop(graceMs: number): Promise<void> {
    isStopping = true
    pickUp.stop()
    for (const run of local.all()) {
      if (settings.onStop === 'cancel') run.stop.abort()
      else if (run.status === 'waiting') leases.abandon(run.session_id)
    }
    const ended = () => Promise.all(local.all().map((run) => run.ended))
    await Promise.race([ended(), pause(graceMs)])
    for (const { session_id } of local.all()) leases.abandon(session_id)
    // One that does not hear is not waited for: its process ends.
    await Promise.race([ended(), pause(lastMs)])
    signs.stop()
  }

  return {
    start,
    async resume(request) {
      const { session_id } = request.session
      return begin(request, (executor, context) => executor.resume(session_id, context))
    },
    async compact(request) {
      const { session_id } = request.session
      return begin(request, (executor, context) => executor.compact(session_id, context))
    },
    follow(followed) {
      const leave = watch(followed.session_id)
      const follower = createFollower({ ...followed, log, feed, clock })
      return {
        caughtUp: follower.caughtUp,
        close() {
          follower.close()
          leave()
        },
      }
    },
    watch,
    endOf: (session_id) => local.get(session_id)?.ended,
    cancel: cancelling.cancel,
    async cancelOf(whose) {
      const theirs = await findBegunBy(whose)
      const former = await Promise.all(theirs.map((run) => toFormerPrincipal(stillMay, run)))
      const ended = theirs.filter((_, index) => !former[index]?.isAsBefore)
      await Promise.all(ended.map(({ session_id }) => cancelling.cancel(session_id)))
      return ended.length
    },
    get running() {
      return queue.running
    },
    get waiting() {
      return queue.waiting
    },
    begin() {
      signs.start()
      pickUp.start()
    },
    stop,
  }
}

type Whose = Parameters<RunBook['cancelOf']>[0]

function wasCancelled(): AppError {
  return new AppError('cancelled', 'The turn was cancelled.')
}

function stopping(): AppError {
  const message = 'The server is stopping: connect again.'
  return new AppError('unavailable', message, { data: { stopping: true, retryAfterMs: 1_000 } })
}

function overloaded(retryAfterMs: number): AppError {
  const message = 'The server has too much to do: try again in a few seconds.'
  return new AppError('unavailable', message, { data: { retryAfterMs } })
}
