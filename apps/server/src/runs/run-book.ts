import type { AgentExecutor, SessionLog, SessionManager, SessionStore } from '@dataagent/core'
import type { Clock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import { AppError, isAppError, type Session } from '@dataagent/schema'
import type { Runs, Users } from '../ports/index.ts'
import type { Abandoning } from './abandoning.ts'
import { createCancelling } from './cancelling.ts'
import type { RunBook, RunRequest, StartedRun } from './contract.ts'
import { createFeed } from './feed.ts'
import { createFollower } from './follower.ts'
import { createLaunch, type LaunchOptions } from './launch.ts'
import { createLocalRuns } from './local-runs.ts'
import { createOutage } from './outage.ts'
import { createPickUp, type PickUpOptions } from './pick-up.ts'
import { createQueued } from './queued.ts'
import { createSessionChannels } from './session-channel.ts'
import { createTurnQueue } from './turn-queue.ts'
import { createWatchers } from './watchers.ts'

export interface RunBookOptions
  extends Pick<LaunchOptions, 'runs' | 'clock' | 'owner' | 'approvalsOf' | 'onError'>,
    Pick<PickUpOptions, 'apiKeys' | 'approvals' | 'leases' | 'onLog' | 'prepare' | 'saveTurns'> {
  runs: Runs
  users: Pick<Users, 'get'>
  sessions: Pick<SessionManager<AgentExecutor>, 'getExecutor' | 'getSession'>
  store: Pick<SessionStore, 'update'>
  log: SessionLog
  kv: Pick<Kv, 'publish' | 'subscribe' | 'get' | 'set' | 'acquireLease'>
  abandoning: Abandoning
  /** Whether there are other processes. */
  isShared: boolean
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
  onDisconnect: 'cancel' | 'finish'
  /** How long a run goes on that nobody reads. */
  reconnectMs: number
}

const titleMax = 80
/** Runs of one user that are stopped together. */
const ownedMax = 1_000
/** How long the first message of a session waits for the user's servers. */
const patienceMs = 5_000
/** What runs get that are left to others. */
const lastMs = 5_000

/** Puts the parts of the room together. */
export function createRunBook(options: RunBookOptions): RunBook {
  const { kv, log, clock, owner, isShared, settings, abandoning, onLog } = options
  const outage = createOutage({
    away: 'other processes cannot be told of runs',
    back: 'other processes are told of runs again',
    ...{ clock, onLog },
  })
  const channels = isShared ? createSessionChannels({ kv, owner, clock, outage }) : undefined
  const feed = createFeed({ channels })
  const watchers = createWatchers({ channels, clock })
  const { onDisconnect, reconnectMs: windowMs } = settings
  const local = createLocalRuns({ channels, watchers, clock, onDisconnect, windowMs })
  const { maxRunning: max, maxWaiting } = settings
  const queue = createTurnQueue({ max, maxWaiting, perTenant: settings.maxPerTenant, clock })
  const launch = createLaunch({ ...options, feed, local })
  const queued = createQueued()
  const pickUp = createPickUp({ ...options, feed, local, queue, launch })
  const cancelling = createCancelling({ ...options, channels, local, queued, pickUp })
  let isStopping = false

  /** Waits for a turn; `cancel` ends the wait. */
  async function enter({ session, signal }: Omit<RunRequest, 'message'>) {
    if (isStopping) throw stopping()
    const before = local.get(session.session_id)
    if (before?.isOver) await before.ended
    const retryAfterMs = options.overloadedMs()
    if (retryAfterMs !== undefined) throw overloaded(retryAfterMs)
    using waiting = queued.add(session.session_id)
    const ended = AbortSignal.any(signal ? [signal, waiting.signal] : [waiting.signal])
    const turn = await enterPrepared(session, ended).catch((error) => {
      const isCancelled = ended.aborted && !isAppError(error)
      throw isCancelled ? new AppError('cancelled', 'The turn was cancelled.') : error
    })
    if (!isStopping) return turn
    turn.leave()
    throw stopping()
  }

  async function enterPrepared(session: Session, signal: AbortSignal) {
    await options.prepare(session, { patienceMs, signal })
    return queue.enter(session.tenant_id, signal)
  }

  async function start({ message, ...request }: RunRequest): Promise<StartedRun> {
    const turn = await enter(request)
    const { session_id } = request.session
    const started = await launch({
      ...{ ...request, turn },
      begin: (executor, context) => executor.execute(message, session_id, context),
    })
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

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => void clock.after(ms, resolve))
  }

  async function stop(graceMs: number): Promise<void> {
    isStopping = true
    pickUp.stop()
    for (const run of local.all()) if (run.status === 'waiting') abandoning.abandon(run.session_id)
    const ended = () => Promise.all(local.all().map((run) => run.ended))
    await Promise.race([ended(), pause(graceMs)])
    for (const { session_id } of local.all()) abandoning.abandon(session_id)
    // One that does not hear is not waited for: its process ends.
    await Promise.race([ended(), pause(lastMs)])
  }

  return {
    start,
    async resume(request) {
      const turn = await enter(request)
      const { session_id } = request.session
      const begin = (executor: AgentExecutor, context: Parameters<AgentExecutor['resume']>[1]) =>
        executor.resume(session_id, context)
      return launch({ ...request, turn, begin })
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
    async cancelOf({ tenant_id, user_id, api_key }) {
      const query = { tenant_id, user_id, limit: ownedMax, offset: 0 }
      const [running, waiting] = await Promise.all([
        options.runs.list({ ...query, status: 'running' }),
        options.runs.list({ ...query, status: 'waiting' }),
      ])
      const theirs = [...running, ...waiting].filter(
        (run) => api_key === undefined || run.api_key === api_key,
      )
      await Promise.all(theirs.map(({ session_id }) => cancelling.cancel(session_id)))
      return theirs.length
    },
    get running() {
      return queue.running
    },
    begin: pickUp.start,
    stop,
  }
}

function stopping(): AppError {
  const message = 'The server is stopping: connect again.'
  return new AppError('unavailable', message, { data: { stopping: true, retryAfterMs: 1_000 } })
}

function overloaded(retryAfterMs: number): AppError {
  const message = 'The server has too much to do: try again in a few seconds.'
  return new AppError('unavailable', message, { data: { retryAfterMs } })
}
