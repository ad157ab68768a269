import cluster from 'node:cluster'
import { type Masker, systemClock } from '@dataagent/guard'
import { assertRestored } from '../backup/index.ts'
import {
  backUp,
  createAdminKey,
  fillKeyHashes,
  reseal,
  restore,
  startParent,
  startServer,
} from '../compose/index.ts'
import type { Command, Config, LoadedConfig, Operands } from '../config/index.ts'
import type { Logger } from '../log/index.ts'
import { announce } from './announce.ts'
import { formatBackup, formatRestored } from './backup-report.ts'
import { formatFilled, formatNewKey, formatResealed } from './banner.ts'
import { claimDataDir } from './claim-data-dir.ts'
import { prepareDataDir } from './data-dir.ts'
import { listenForStop } from './signals.ts'
import { askToLeave, type Joining, tellSettled } from './succession.ts'
import { startWorkers } from './workers.ts'

/** What the process is asked to do, and its ways to the outside. */
export interface Run {
  config: Config
  warnings: string[]
  command: Command | undefined
  operands: Operands
  log: Logger
  /** That of the log. */
  masker: Masker
  /** The environment as it was at the start, secrets included: for workers and for the agent. */
  env: Record<string, string | undefined>
  /** In a worker: what its parent says about where it listens, and when. */
  joins: Joining
  /** The settings as the next start reads them. */
  reload(): LoadedConfig
  /** Tells the person at the terminal; never logged. */
  say(text: string): void
  /** Ends the process as soon as its log is written, within half a second. */
  exit(code: number): void
  /** Explains or logs the error, then exits. */
  fail(error: unknown): void
}

/** Runs the server until it is told to stop: alone, as the parent of workers, or as one of them. */
export async function run(options: Run): Promise<void> {
  const { config, command, say, fail } = options
  try {
    prepareDataDir(config.data_dir)
    assertRestored(config.data_dir)
    if (command) say(await commands[command](options))
    else if (cluster.isWorker) await runWorker(options)
    else await runAlone(options)
  } catch (error) {
    fail(error)
  }
}

/** What each says when it is done. */
const commands: Record<Command, (options: Run) => Promise<string>> = {
  new_admin_key: async (options) => formatNewKey(options.config, await createAdminKey(options)),
  fill_key_hashes: async (options) =>
    formatFilled(options.config.lang, await fillKeyHashes(options)),
  backup: async (options) => formatBackup(options.config, await backUp(options)),
  restore: async (options) => formatRestored(options.config, await restore(options)),
  reseal: async (options) => formatResealed(options.config.lang, await reseal(options)),
}

async function runAlone(options: Run): Promise<void> {
  await warn(options)
  return options.config.workers > 1 ? runParent(options) : runSingle(options)
}

async function runSingle({ config, log, masker, say, env, exit, fail }: Run): Promise<void> {
  const server = await startServer({ config, log, masker, env, onFatal: fail })
  stopOnSignal({ log, exit, fail, stop: server.stop })
  await announce({ config, log, say, clock: systemClock, ...server })
}

async function runWorker({ config, log, masker, env, joins, exit, fail }: Run): Promise<void> {
  const { others, onTrial, port = config.port } = joins
  const given = { config: { ...config, port }, log, masker, env, onFatal: fail }
  const server = await startServer(
    { ...given, ...(others !== undefined && { joins: { port: others, onTrial } }) },
    'worker',
  )
  const stop = async () => {
    await askToLeave(process, systemClock)
    await server.stop()
  }
  process.once('SIGTERM', () => {
    stop().then(() => exit(0), fail)
    // Told again, it is in a hurry; what it does then is the same.
    process.on('SIGTERM', () => {})
  })
  // These reach every process of the terminal; the parent says when to stop.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  tellSettled(process)
}

async function runParent({ config, log, say, env, exit, fail }: Run): Promise<void> {
  // Asked for a restart before there is anything to restart, it goes on.
  process.on('SIGUSR2', () => {})
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
  // For a new version of the program: each worker is replaced while the others serve.
  process.on('SIGUSR2', () => void workers.restart())
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
  if (!isShared || config.redis_url) return
  log.warn(
    { data_dir: config.data_dir },
    'another server uses this data directory; limits and locks are not shared without REDIS_URL',
  )
}
