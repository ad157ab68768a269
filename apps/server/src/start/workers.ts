import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Clock } from '@dataagent/guard'
import type { Logger } from '../log/index.ts'
import { isLeaving, isSettled, type Joining, mayLeave, toJoining } from './succession.ts'

export interface WorkersOptions {
  count: number
  /** What their environment has besides ours. */
  env: Record<string, string | undefined>
  log: Logger
  clock: Clock
  /** Called for each new worker, before it runs. */
  onWorker(worker: Worker): void
  /** The first worker listens. */
  onListening(port: number): void
  /** The first worker ended before it listened, as `code` says. */
  onFailed(code: number): void
}

export interface Workers {
  /**
   * Replaces those that serve, one after the other; each is asked to go when its successor is
   * ready. One that does not get ready ends it, and the others stay. Those that are still starting
   * are new already. Does nothing while it is under way.
   */
  restart(): Promise<void>
  /** Asks all of them to stop, and kills those that have not after `withinMs`. */
  stop(withinMs: number): Promise<void>
}

const longestBackoffMs = 10_000
const longestTimerMs = 2 ** 31 - 1
/** Longer than one on trial takes to give up by itself. */
const trialMs = 90_000
/** A worker that lived this long has started well: the next death is a new one. */
const steadyMs = 30_000

/**
 * Runs `count` workers that share one port, and starts another for each that dies, until it is
 * told to stop. Where nobody listens, a worker listens at once, to say at least what is wrong; the
 * others join when they are ready: no request meets one that is not.
 */
export function startWorkers(options: WorkersOptions): Workers {
  const { count, env, log, clock } = options
  // Each worker accepts for itself. A connection that the parent hands to a worker which dies
  // before it confirms is neither closed nor given to another: its client would wait for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const running = new Set<Worker>()
  const listening = new Set<Worker>()
  /** Those that leave in good order when they are asked. */
  const settled = new Set<Worker>()
  /** Those in whose place nobody is started: they have a successor, or are on trial as one. */
  const unreplaced = new Set<Worker>()
  // When all workers are dead, nothing else keeps this process alive to start others.
  const alive = setInterval(() => {}, longestTimerMs)
  let port: number | undefined
  /** What new workers give to `listen`, where it is not what was configured. */
  let givenPort: number | undefined
  let stopping = false
  let isRestarting = false
  let quickDeaths = 0

  function startOne({ onTrial = false } = {}): Worker | undefined {
    if (stopping) return undefined
    const startedAt = clock.monotonic()
    const worker = cluster.fork({ ...env, ...toJoining({ ...whereToListen(), onTrial }) })
    running.add(worker)
    if (onTrial) unreplaced.add(worker)
    options.onWorker(worker)
    worker.once('listening', (address) => onListening(worker, address.port))
    worker.on('message', (message) => {
      if (isSettled(message)) settled.add(worker)
      if (isLeaving(message)) succeed(worker)
    })
    worker.once('exit', (code, signal) => {
      for (const workers of [running, listening, settled]) workers.delete(worker)
      const isReplaced = !unreplaced.delete(worker)
      const lived = clock.monotonic() - startedAt
      if (!stopping && isReplaced) onDeath({ worker, code, signal, lived })
    })
    return worker
  }

  function whereToListen(): Joining {
    // The socket is gone with the last that had it. Asked for any port, the next one would get
    // another than was announced.
    if (listening.size === 0) givenPort = port
    return { others: listening.size > 0 ? port : undefined, port: givenPort }
  }

  function onListening(worker: Worker, opened: number): void {
    if (port !== undefined && opened !== port) {
      // It was to join others on any port, and they died before it did.
      worker.process.kill('SIGKILL')
      return
    }
    log.info({ worker_pid: worker.process.pid }, 'a worker listens')
    listening.add(worker)
    if (port === undefined) onFirst(opened)
  }

  function onFirst(opened: number): void {
    port = opened
    options.onListening(opened)
    for (let i = 1; i < count; i++) startOne()
  }

  function letGo(worker: Worker): void {
    listening.delete(worker)
    if (worker.isConnected()) worker.send(mayLeave)
  }

  /** It goes when another has taken its place: until then somebody must listen. */
  function succeed(worker: Worker): void {
    const next = unreplaced.has(worker) ? undefined : startOne()
    if (next === undefined) {
      letGo(worker)
      return
    }
    unreplaced.add(worker)
    log.info(
      { worker_pid: worker.process.pid },
      'a worker is asked to stop; another takes its place',
    )
    next.once('listening', () => {
      if (listening.has(next)) letGo(worker)
    })
    next.once('exit', () => {
      if ([...listening].some((other) => !unreplaced.has(other))) letGo(worker)
    })
  }

  function onDeath({ worker, code, signal, lived }: Death): void {
    if (port === undefined) {
      options.onFailed(code ?? 1)
      return
    }
    quickDeaths = lived < steadyMs ? quickDeaths + 1 : 1
    const waitMs = Math.min(longestBackoffMs, 100 * 2 ** (quickDeaths - 1))
    log.error(
      { worker_pid: worker.process.pid, code, signal, restart_in_ms: waitMs },
      'a worker ended; another is started',
    )
    clock.after(waitMs, startOne)
  }

  async function restart(): Promise<void> {
    if (isRestarting) return
    isRestarting = true
    try {
      for (const worker of [...settled]) if (!(await replace(worker))) return
    } finally {
      isRestarting = false
    }
  }

  /** Whether others may follow. */
  async function replace(worker: Worker): Promise<boolean> {
    const next = worker.isDead() ? undefined : startOne({ onTrial: true })
    if (next === undefined) return !stopping
    if (!(await isSettledInTime(next))) {
      if (!stopping) tellGivenUp(next)
      return false
    }
    // Where it died meanwhile, another has been started in its place.
    const last = worker.isDead() ? next : worker
    unreplaced.delete(next)
    unreplaced.add(last)
    const ended = once(last, 'exit')
    last.process.kill('SIGTERM')
    await ended
    return true
  }

  /** False where it ends before. */
  async function isSettledInTime(worker: Worker): Promise<boolean> {
    const cancelKill = clock.after(trialMs, () => worker.process.kill('SIGKILL'))
    const { promise, resolve } = Promise.withResolvers<boolean>()
    worker.once('exit', () => resolve(false))
    worker.on('message', (message) => {
      if (isSettled(message)) resolve(true)
    })
    return promise.finally(cancelKill)
  }

  function tellGivenUp({ process: { pid, exitCode, signalCode } }: Worker): void {
    log.error(
      { worker_pid: pid, code: exitCode, signal: signalCode },
      'the restart is given up: a new worker ended before it was ready; those that serve stay',
    )
  }

  async function stop(withinMs: number): Promise<void> {
    stopping = true
    const ended = [...running].map((worker) => once(worker, 'exit'))
    for (const worker of running) worker.process.kill('SIGTERM')
    const cancelKill = clock.after(withinMs, () => {
      for (const worker of running) worker.process.kill('SIGKILL')
    })
    await Promise.all(ended)
    cancelKill()
    clearInterval(alive)
  }

  startOne()

  return { restart, stop }
}

interface Death {
  worker: Worker
  code: number | null
  signal: string | null
  lived: number
}
