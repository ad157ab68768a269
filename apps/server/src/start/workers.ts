import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Clock } from '@dataagent/guard'
import type { Logger } from '../log/index.ts'

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
  /** A worker ended before any listened, as `code` says; the others have been stopped. */
  onFailed(code: number): void
}

export interface Workers {
  /** Asks all of them to stop, and kills those that have not after `withinMs`. */
  stop(withinMs: number): Promise<void>
}

const longestBackoffMs = 10_000
/** A worker that lived this long has started well: the next death is a new one. */
const steadyMs = 30_000
/** What the others get when the start has failed: they have nothing to finish. */
const failedStopMs = 2_000

/** Runs `count` workers that share one port, and starts another for each that dies. */
export function startWorkers(options: WorkersOptions): Workers {
  const { count, env, log, clock } = options
  // Each worker accepts for itself. A connection that the parent hands to a worker which dies
  // before it confirms is neither closed nor given to another: its client would wait for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const running = new Set<Worker>()
  let hasListened = false
  let stopping = false
  let quickDeaths = 0

  function startOne(): void {
    if (stopping) return
    const startedAt = clock.monotonic()
    const worker = cluster.fork(env)
    running.add(worker)
    options.onWorker(worker)
    worker.once('listening', ({ port }) => {
      if (!hasListened) options.onListening(port)
      hasListened = true
    })
    worker.once('exit', (code, signal) => {
      running.delete(worker)
      if (!stopping) onDeath({ worker, code, signal, lived: clock.monotonic() - startedAt })
    })
  }

  function onDeath({ worker, code, signal, lived }: Death): void {
    if (!hasListened) return void stop(failedStopMs).then(() => options.onFailed(code ?? 1))
    quickDeaths = lived < steadyMs ? quickDeaths + 1 : 1
    const waitMs = Math.min(longestBackoffMs, 100 * 2 ** (quickDeaths - 1))
    log.error(
      { worker_pid: worker.process.pid, code, signal, restart_in_ms: waitMs },
      'a worker ended; another is started',
    )
    clock.after(waitMs, startOne)
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
  }

  for (let i = 0; i < count; i++) startOne()

  return { stop }
}

interface Death {
  worker: Worker
  code: number | null
  signal: string | null
  lived: number
}
