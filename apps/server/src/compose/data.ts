import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Workspaces } from '@dataagent/core'
import { type Clock, createAddressCheck } from '@dataagent/guard'
import type { Note, Vault } from '@dataagent/hub'
import type { DataStore } from '@dataagent/schema'
import type { AgentExtras } from '../agents/index.ts'
import { createDataAnswers, createExportFiles, createQuestionMatchers } from '../answers/index.ts'
import type { Config } from '../config/index.ts'
import type { Logger } from '../log/index.ts'
import type { DataRoom } from '../platform/index.ts'
import { hasFeature, type TenantBook } from '../tenants/index.ts'
import { dayMs } from './turns.ts'
import type { WaysOut } from './ways-out.ts'

export interface DataOptions {
  config: Config
  clock: Clock
  log: Logger
  store: DataStore
  vault: Vault
  workspaces: Workspaces
  egress: Pick<WaysOut, 'policyOf'>
  tenants: Pick<TenantBook, 'featuresOf'>
  note: Note
  cleanup: AsyncDisposableStack
}

export interface OpenData {
  room: DataRoom
  /** What it gives the agents of a tenant; the same object while nothing has changed. */
  extrasOf(tenant_id: string): AgentExtras
}

const nothing: AgentExtras = { tools: [], middleware: [] }

/** Answers about data, as this server's settings want them. Databases run in no process of ours. */
export async function openData(options: DataOptions): Promise<OpenData | undefined> {
  const { config, clock, store, tenants, cleanup } = options
  if (!config.data) return undefined
  const { createDataTools, createQueries, openKeptResults } = await import('@dataagent/data')
  const folder = await openFolder(config, cleanup)
  const results = cleanup.use(await openKeptResults({ root: join(folder, 'results') }))
  const sources = await openSources(options)
  const queries = createQueries({
    ...{ store, sources, results, clock },
    timeoutMs: config.data_query_seconds * 1000,
    retentionMs: config.data_retention_days * dayMs,
  })
  const files = createExportFiles(options.workspaces)
  const tools = createDataTools({ sources, queries, store, files, clock })
  const extras: AgentExtras = {
    tools,
    middleware: [toAnswers(options, { sources, queries, tools })],
  }
  return {
    room: { sources, queries, folder, resultsOf: results.folderOf },
    extrasOf: (tenant_id) => (hasFeature(tenants.featuresOf(tenant_id), 'data') ? extras : nothing),
  }
}

async function openSources(options: DataOptions): Promise<DataRoom['sources']> {
  const { config, clock, store, vault, workspaces, egress, note, cleanup } = options
  const { createRunnerBudget, createSources } = await import('@dataagent/data')
  return cleanup.use(
    createSources({
      ...{ store, vault, clock, note },
      engines: { budget: createRunnerBudget({ most: config.data_max_processes }), clock },
      checkAddressOf: (tenant_id) =>
        createAddressCheck({
          ...{ policy: egress.policyOf(tenant_id), allowSetting: 'DATAAGENT_ALLOWED_ADDRESSES' },
        }),
      folderOf: (owner) => workspaces.use(owner, async (_, folder) => folder),
    }),
  )
}

/** Beside the database; where that is in memory, nothing outlives the server here either. */
async function openFolder(
  { session_store, data_dir }: Config,
  cleanup: AsyncDisposableStack,
): Promise<string> {
  if (session_store !== 'memory') return data_dir
  const dir = await mkdtemp(join(tmpdir(), 'dataagent-data-'))
  cleanup.defer(() => rm(dir, { recursive: true, force: true }))
  return dir
}

function toAnswers(
  { clock, log, store }: DataOptions,
  { sources, queries, tools }: Pick<DataRoom, 'sources' | 'queries'> & Pick<AgentExtras, 'tools'>,
) {
  return createDataAnswers({
    ...{ sources, queries, tools, clock },
    matcherOf: createQuestionMatchers({
      async verifiedOf(tenant_id) {
        const questions = await store.questions.list(tenant_id, null)
        return questions.filter(({ verified }) => verified)
      },
    }),
    onError: (error) =>
      log.warn({ error }, 'an answer about data could not be prepared or checked'),
  })
}
