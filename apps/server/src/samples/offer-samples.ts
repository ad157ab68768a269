import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import type { Principal, RegisteredServer } from '@dataagent/hub'
import { isAppError, readJson, type ServerConfig } from '@dataagent/schema'
import { z } from 'zod'
import { operator } from '../identity/index.ts'
import type { Platform } from '../platform/index.ts'
import { isTrial } from './is-trial.ts'
import { offerRetail } from './retail-sample.ts'
import { isSample, listSamples, type Sample } from './sample-list.ts'

type Means = Pick<Platform, 'config' | 'hub' | 'log' | 'stores' | 'clock' | 'kv' | 'data'> & {
  tables: Pick<Platform['tables'], 'settings' | 'data'>
}

export interface OfferOptions {
  /** `data`: those of a terminal, which has servers of its own files. */
  only?: 'data' | undefined
  signal: AbortSignal
}

type StdioConfig = Extract<ServerConfig, { transport: 'stdio' }>

/** Who acts where nobody asks. */
const theInstallation: Principal = { ...operator, user_id: null }
const { tenant_id } = operator
const settingName = 'samples'
/** Names of the samples that were registered once. */
const namesSchema = z.array(z.string())

/**
 * Registers the samples where the settings want them, each once: what an administrator has removed
 * does not come back. Never rejects: the server does its work without them.
 */
export async function offerSamples(means: Means, { only, signal }: OfferOptions): Promise<void> {
  const { log } = means
  const isFirst = await isFirstTry(means).catch(() => false)
  if (only === undefined) await offerServers(means, isFirst)
  try {
    await offerRetail(means, { isFirst, signal })
    log.debug('sample data is as the settings want it')
  } catch (error) {
    if (!signal.aborted) log.warn({ error }, 'the sample data could not be set up')
  }
}

async function offerServers(means: Means, isFirst: boolean): Promise<void> {
  const { config, hub, log } = means
  try {
    const stored = await means.tables.settings.get(settingName)
    const known = stored === undefined ? undefined : namesSchema.parse(readJson(stored))
    const there = hub.servers.all().filter((server) => isOffered(server, known))
    if (config.samples === 'off') return await switchOff(means, there)
    const samples = listSamples(config.session_store === 'memory' ? undefined : config.data_dir)
    const wasOffered = ({ name }: Sample) => known?.includes(name) ?? false
    await repair(means, samples.filter(wasOffered), there)
    await add(means, samples, { known, isFirst })
    log.debug('sample servers are as the settings want them')
  } catch (error) {
    log.warn({ error }, 'the sample servers could not be set up')
  }
}

/** Whether it was registered here: others may run the same program for themselves. */
function isOffered(server: RegisteredServer, known: readonly string[] = []): boolean {
  if (server.tenant_id !== tenant_id || !known.includes(server.server_id)) return false
  return (server.created_by ?? null) === null && isSample(server)
}

async function switchOff({ hub }: Means, there: readonly RegisteredServer[]): Promise<void> {
  for (const server of there) {
    if (!server.config.disabled) await hub.servers.switchOff(theInstallation, server)
  }
}

/** The program, its Node or the data may have been moved since. */
async function repair(
  { hub }: Means,
  samples: readonly Sample[],
  there: readonly RegisteredServer[],
): Promise<void> {
  for (const sample of samples) {
    const server = there.find(({ server_id }) => server_id === sample.name)
    if (server?.config.transport !== 'stdio') continue
    await makeFolder(sample)
    const { config, server_id } = server
    if (!isLost(config)) continue
    const next = { ...config, ...toCommand(sample) }
    const env = Object.entries(config.env).map(([name, value]) => [name, value.reveal()] as const)
    await hub.servers.update(theInstallation, server_id, { ...next, env: Object.fromEntries(env) })
  }
}

function isLost({ command, args }: StdioConfig): boolean {
  const places = args.filter((arg) => isAbsolute(arg)).map((path) => dirname(path))
  return [command, ...places].some((path) => !existsSync(path))
}

async function add(
  means: Means,
  samples: readonly Sample[],
  { known, isFirst }: { known: readonly string[] | undefined; isFirst: boolean },
): Promise<void> {
  const { config, hub, tables } = means
  if (config.samples === 'auto' && (known !== undefined || !isFirst)) return
  const before = known ?? []
  const wanted = samples.filter(({ name }) => !before.includes(name))
  if (wanted.length === 0) return
  for (const sample of wanted) {
    await makeFolder(sample)
    const { name, description, trigger_keywords } = sample
    const server = { name, description, trigger_keywords, ...toCommand(sample) }
    await hub.servers
      .register(theInstallation, { server_id: name, scope: 'tenant', config: server })
      .catch(ignoreConflict)
  }
  const names = [...before, ...wanted.map(({ name }) => name)]
  await tables.settings.change(settingName, JSON.stringify(names))
}

/** Whether this is somebody who tries it out, and has done nothing here yet. */
async function isFirstTry({ config, hub, stores }: Means): Promise<boolean> {
  if (!isTrial(config) || hub.servers.all().length > 0) return false
  const page = { limit: 1, offset: 0 }
  const sessions = await stores.sessions.listByUser(tenant_id, operator.user_id, page)
  return sessions.length === 0
}

function toCommand({ args }: Sample) {
  return { transport: 'stdio' as const, command: process.execPath, args }
}

async function makeFolder({ folder }: Sample): Promise<void> {
  if (folder !== undefined) await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** Another process, or an administrator, has one of that name. */
function ignoreConflict(error: unknown): void {
  if (!isAppError(error, 'conflict')) throw error
}
