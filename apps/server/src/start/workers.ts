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
   * Replaces those that serve, one after the other; each goes when its successor listens. Those
   * that are still starting are new already.
   */
  restart(): Promise<void>
  /** Asks all of them to stop, and kills those that have not after `withinMs`. */
  stop(withinMs: number): Promise<void>
}

const longestBackoffMs = 10_000
const longestTimerMs = 2 ** 31 - 1
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
  /** Those that have a successor. */
  const leaving = new Set<Worker>()
  // When all workers are dead, nothing else keeps this process alive to start others.
  const alive = setInterval(() => {}, longestTimerMs)
  let port: number | undefined
  /** What new workers give to `listen`, where it is not what was configured. */
  let givenPort: number | undefined
  let stopping = false
  let quickDeaths = 0

  function startOne(): Worker | undefined {
    if (stopping) return undefined
    const startedAt = clock.monotonic()
    const worker = cluster.fork({ ...env, ...toJoining(whereToListen()) })
    running.add(worker)
    options.onWorker(worker)
    worker.once('listening', (address) => onListening(worker, address.port))
    worker.on('message', (message) => {
      if (isSettled(message)) settled.add(worker)
      if (isLeaving(message)) succeed(worker)
    })
    worker.once('exit', (code, signal) => {
      for (const workers of [running, listening, settled]) workers.delete(worker)
      const hasSuccessor = leaving.delete(worker)
      const lived = clock.monotonic() - startedAt
      if (!stopping && !hasSuccessor) onDeath({ worker, code, signal, lived })
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

  /** It goes when another has taken its place: until then somebody must listen. */
  function succeed(worker: Worker): void {
    if (leaving.has(worker)) return
    const next = startOne()
    const letGo = () => {
      listening.delete(worker)
      if (worker.isConnected()) worker.send(mayLeave)
    }
    if (next === undefined) {
      letGo()
      return
    }
    leaving.add(worker)
    log.info(
      { worker_pid: worker.process.pid },
      'a worker is asked to stop; another takes its place',
    )
    next.once('listening', () => {
      if (listening.has(next)) letGo()
    })
    next.once('exit', () => {
      if ([...listening].some((other) => !leaving.has(other))) letGo()
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
    for (const worker of [...settled]) {
      if (stopping || worker.isDead()) continue
      const ended = once(worker, 'exit')
      worker.process.kill('SIGTERM')
      await ended
    }
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
