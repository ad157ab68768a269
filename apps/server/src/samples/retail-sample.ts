import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { SourceNotes } from '@dataagent/data'
import type { Principal } from '@dataagent/hub'
import { isAppError, readJson } from '@dataagent/schema'
import { z } from 'zod'
import { operator } from '../identity/index.ts'
import type { DataRoom, Platform } from '../platform/index.ts'

type Means = Pick<Platform, 'config' | 'clock' | 'kv' | 'log' | 'data'> & {
  tables: Pick<Platform['tables'], 'settings' | 'data'>
}

/** Who acts where nobody asks. */
const theInstallation: Principal = { ...operator, user_id: null }
const { tenant_id } = operator
const settingName = 'sample_data'
const source_id = 'retail'
/** Longer than making it takes, also on a slow machine. */
const leaseMs = 600_000

/** `folder` is where it lay when it was registered; null before that. */
const stateSchema = z.object({ folder: z.string().nullable() })

/**
 * Makes the retail data and registers it with its notes, definitions and verified questions, once:
 * what an administrator has removed or changed stays so. Throws where it cannot be made; then the
 * next start tries again.
 */
export async function offerRetail(
  means: Means,
  { isFirst, signal }: { isFirst: boolean; signal: AbortSignal },
): Promise<void> {
  const { config, data, tables } = means
  if (data === undefined) return
  if (config.samples === 'off') return await switchOff(data)
  const stored = await tables.settings.get(settingName)
  if (stored === undefined && config.samples === 'auto' && !isFirst) return
  const wanted = JSON.stringify({ folder: null })
  const state = stored ?? (await tables.settings.setIfAbsent(settingName, wanted))
  const { folder: before } = stateSchema.parse(readJson(state))
  const folder = join(data.folder, 'samples', 'retail')
  if (before === folder) return
  await alone(means, () => make({ means, data, folder, isNew: before === null, signal }))
}

/** One of several processes does it. */
async function alone({ kv }: Means, work: () => Promise<void>): Promise<void> {
  const lease = await kv.acquireLease(settingName, { ttlMs: leaseMs, owner: randomUUID() })
  if (lease === undefined) return
  try {
    await work()
  } finally {
    await lease.release()
  }
}

interface Making {
  means: Means
  data: DataRoom
  folder: string
  /** Else it is there already, and its data has been moved. */
  isNew: boolean
  signal: AbortSignal
}

async function make({ means, data, folder, isNew, signal }: Making): Promise<void> {
  const { clock, log, tables } = means
  const location = { kind: 'files', folder } as const
  if (!isNew && !(await hasSource(data))) return await keep()
  const { makeRetailSample } = await import('@dataagent/data')
  const until = new Date(clock.now())
  const { status, bytes } = await makeRetailSample({ folder, until, signal })
  if (!isNew) await data.sources.update(theInstallation, source_id, { location })
  else if (await register(data, location)) await tell(means)
  await keep()
  log.info({ folder, bytes, status }, 'the sample data retail is there')

  async function keep(): Promise<void> {
    await tables.settings.change(settingName, JSON.stringify({ folder }))
  }
}

/** False where an administrator has a source of that name. */
async function register(
  data: DataRoom,
  location: { kind: 'files'; folder: string },
): Promise<boolean> {
  const source = { source_id, name: source_id, description, location, notes: await toNotes() }
  try {
    await data.sources.create(theInstallation, source)
    return true
  } catch (error) {
    if (!isAppError(error, 'conflict')) throw error
    // Ours where a start that broke off has registered it.
    return hasSource(data)
  }
}

const description =
  'Sample data: a year of orders of a shop, with products, regions and customers. ' +
  '示例数据：一家零售商一年的订单，以及商品、地区与客户。'

async function toNotes(): Promise<SourceNotes> {
  const { retailTables } = await import('@dataagent/data')
  const tables = retailTables.map(({ name, description: said, columns }) => {
    const ofColumns = columns.map((column) => [column.name, { description: column.description }])
    return [name, { description: said, columns: Object.fromEntries(ofColumns) }]
  })
  return { tables: Object.fromEntries(tables) }
}

/** Puts what its words mean, and the questions that were looked at. */
async function tell({ clock, tables }: Means): Promise<void> {
  const { retailDefinitions, retailQuestions } = await import('@dataagent/data')
  const { definitions, questions } = tables.data
  const room = { max: Number.MAX_SAFE_INTEGER }
  for (const [at, definition] of retailDefinitions.entries()) {
    const definition_id = `${source_id}-${at + 1}`
    await definitions.put({ ...definition, definition_id, tenant_id, source_id }, room)
  }
  const updated_at = Math.floor(clock.now())
  for (const question of retailQuestions) {
    const row = { ...question, tenant_id, source_id, owner_user_id: null, updated_at }
    await questions.put({ ...row, also: [...question.also], verified: true }, room)
  }
}

async function switchOff(data: DataRoom): Promise<void> {
  const source = await findSource(data)
  if (source?.enabled) await data.sources.update(theInstallation, source_id, { enabled: false })
}

async function hasSource(data: DataRoom): Promise<boolean> {
  return (await findSource(data)) !== undefined
}

async function findSource({ sources }: DataRoom) {
  return (await sources.list(theInstallation)).find((source) => source.source_id === source_id)
}
