import { realpathSync } from 'node:fs'
import { systemClock } from '@dataagent/guard'
import {
  isAppError,
  type PlatformOrder,
  platformOrderSchema,
  type ServerConfigInput,
} from '@dataagent/schema'
import { assertRestored } from '../backup/index.ts'
import { type Server, startServer } from '../compose/index.ts'
import { type Config, createStartError, type Text } from '../config/index.ts'
import { untilReady } from '../deps/index.ts'
import { prepareDataDir } from './data-dir.ts'
import type { Tell } from './tell-terminal.ts'
import type { Ways } from './ways.ts'

export interface TerminalRun {
  config: Config
  ways: Ways
  /** The environment as it was at the start, secrets included: for the agent. */
  env: Readonly<Record<string, string | undefined>>
  folder: string
  channel: NodeJS.Process
  tell: Tell
}

/** What is away for longer is told. */
const patienceMs = 30_000
/** The terminal kills what has not ended by itself a little later. */
const longestStopMs = 2_500

/** Serves the terminal until it goes. Rejects where it cannot begin. */
export async function runForTerminal(options: TerminalRun): Promise<void> {
  const { config, ways, env, channel, tell } = options
  const { log, masker, fail } = ways
  const stopping = stopWithTerminal(channel, ways)
  prepareDataDir(config.data_dir)
  assertRestored(config.data_dir)
  const terminal = { folder: toFolder(options.folder) }
  const server = await startServer({ config, log, masker, env, onFatal: fail, terminal })
  stopping.stopFirst(server)
  await assertReady(server)
  obeyOrders(channel, server, tell)
  log.info({ url: server.url, data_dir: config.data_dir, ...terminal }, 'listening')
  await tell({ kind: 'listening', url: server.url })
}

/** Ctrl-C is the terminal's: it reaches us where both are of one group. */
function stopWithTerminal(channel: NodeJS.Process, { log, exit }: Ways) {
  let server: Pick<Server, 'stop'> = { stop: async () => {} }
  let isStopping = false

  function stop(why: string): void {
    if (isStopping) return
    isStopping = true
    log.info({ why }, 'stopping')
    // What is not done by then is left; servers over stdio end with this process.
    systemClock.after(longestStopMs, () => exit(0))
    server
      .stop()
      .catch((error) => log.error({ error }, 'it could not stop in good order'))
      .finally(() => {
        log.info('stopped')
        exit(0)
      })
  }

  channel.once('disconnect', () => stop('the terminal has gone'))
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
  process.on('SIGINT', () => {})
  if (!channel.connected) stop('there is no terminal')
  return {
    stopFirst(started: Server) {
      server = started
    },
  }
}

async function assertReady({ readiness }: Server): Promise<void> {
  if (await untilReady(readiness, systemClock, patienceMs)) return
  const missing = readiness.states().filter(({ status }) => status !== 'ready')
  const names = missing.map(({ name }) => name).join(', ')
  throw createStartError({ en: notReady.en + names, zh: notReady.zh + names }, undefined)
}

/** One after the other, each answered. */
function obeyOrders(channel: NodeJS.Process, { platform }: Server, tell: Tell): void {
  let last: Promise<void> = Promise.resolve()

  async function obey(message: unknown): Promise<void> {
    try {
      const order: PlatformOrder = platformOrderSchema.parse(message)
      // As they were written: who uses them reads each.
      await platform().terminal?.setServers(order.servers as unknown as ServerConfigInput[])
      await tell({ kind: 'servers_set' })
    } catch (error) {
      const message = isAppError(error) ? error.message : 'the servers could not be read'
      await tell({ kind: 'servers_refused', message })
    }
  }

  channel.on('message', (message) => {
    last = last.then(() => obey(message))
  })
}

/** Links in its path are resolved, so that one folder has one name. */
function toFolder(path: string): string {
  try {
    return realpathSync(path)
  } catch (cause) {
    const text = { en: `${noFolder.en} ${path}`, zh: `${noFolder.zh} ${path}` }
    throw createStartError(text, cause)
  }
}

const notReady: Text = {
  en: 'The local platform cannot begin, as this is away: ',
  zh: '本地平台无法启动，以下依赖不可用：',
}

const noFolder: Text = {
  en: 'This folder cannot be opened:',
  zh: '无法打开该目录：',
}
