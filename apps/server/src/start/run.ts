import cluster from 'node:cluster'
import { systemClock } from '@dataagent/guard'
import { createAdminKey, startParent, startServer } from '../compose/index.ts'
import type { Config } from '../config/index.ts'
import type { Logger } from '../log/index.ts'
import { announce } from './announce.ts'
import { formatNewKey } from './banner.ts'
import { claimDataDir } from './claim-data-dir.ts'
import { prepareDataDir } from './data-dir.ts'
import { listenForStop } from './signals.ts'
import { startWorkers } from './workers.ts'

/** What the process is asked to do, and its ways to the outside. */
export interface Run {
  config: Config
  warnings: string[]
  newAdminKey: boolean
  log: Logger
  /** The environment as it was at the start, secrets included: for workers only. */
  env: Record<string, string | undefined>
  /** Tells the person at the terminal; never logged. */
  say(text: string): void
  exit(code: number): never
  /** Explains or logs the error, then exits. */
  fail(error: unknown): never
}

/** Runs the server until it is told to stop: alone, as the parent of workers, or as one of them. */
export async function run(options: Run): Promise<void> {
  const { config, newAdminKey, say, fail } = options
  try {
    prepareDataDir(config.data_dir)
    if (newAdminKey) say(formatNewKey(config, await createAdminKey(config)))
    else if (cluster.isWorker) await runWorker(options)
    else await runAlone(options)
  } catch (error) {
    fail(error)
  }
}

async function runAlone(options: Run): Promise<void> {
  await warn(options)
  return options.config.workers > 1 ? runParent(options) : runSingle(options)
}

async function runSingle({ config, log, say, exit, fail }: Run): Promise<void> {
  const server = await startServer({ config, log, onFatal: fail })
  stopOnSignal({ log, exit, fail, stop: server.stop })
  await announce({ config, log, say, clock: systemClock, ...server })
}

async function runWorker({ config, log, exit, fail }: Run): Promise<void> {
  const server = await startServer({ config, log, onFatal: fail }, 'worker')
  let isStopping = false
  const stop = () => {
    if (!isStopping) server.stop().then(() => exit(0), fail)
    isStopping = true
  }
  process.on('SIGTERM', stop)
  // These reach every process of the terminal; the parent says when to stop.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
}

async function runParent({ config, log, say, env, exit, fail }: Run): Promise<void> {
  const parent = await startParent({ config, log, onFatal: fail })
  const listening = Promise.withResolvers<number>()
  const workers = startWorkers({
    count: config.workers,
    env,
    log,
    clock: systemClock,
    onWorker: parent.serve,
    onListening(port) {
      parent.readiness.start()
      listening.resolve(port)
    },
    onFailed: exit,
  })
  const longestStopMs = (config.shutdown_delay + config.shutdown_grace + 5) * 1000
  stopOnSignal({
    log,
    exit,
    fail,
    async stop() {
      await workers.stop(longestStopMs)
      await parent.stop()
    },
  })
  const url = parent.urlOf(await listening.promise)
  await announce({ config, log, say, clock: systemClock, url, ...parent })
}

interface StopOptions extends Pick<Run, 'log' | 'exit' | 'fail'> {
  stop(): Promise<void>
}

function stopOnSignal({ log, exit, fail, stop }: StopOptions): void {
  listenForStop({
    onStop(signal) {
      log.info({ signal }, 'stopping')
      stop().then(() => {
        log.info('stopped')
        exit(0)
      }, fail)
    },
    onForce: () => exit(130),
  })
}

async function warn({ config, warnings, log }: Run): Promise<void> {
  for (const warning of warnings) log.warn(warning)
  if (config.auth_disabled)
    log.warn('authentication is off: whoever uses this machine is administrator')
  const isShared = config.session_store !== 'memory' && !(await claimDataDir(config.data_dir))
  if (isShared && !config.redis_url)
    log.warn(
      { data_dir: config.data_dir },
      'another server uses this data directory; limits and locks are not shared without REDIS_URL',
    )
}
