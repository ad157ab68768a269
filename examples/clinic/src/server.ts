import { join } from 'node:path'
import { createEgress } from '@dataagent/guard'
import { createHub, type Hub, type OwnTool, ownServerId, type Principal } from '@dataagent/hub'
import { createMemoryKv } from '@dataagent/store/kv'
import { createKeyring, createVault, ensureKeyFile } from '@dataagent/store/secrets'
import { openSql } from '@dataagent/store/sql'
import { openClinicDatabase } from './database/index.ts'
import { createClinicTools } from './tools/clinic-tools.ts'
import type { Enrich } from './tools/enrichment.ts'

export interface StartClinicOptions {
  /** Where `clinic.db`, `hub.db`, the keys and the journal are; made at the first start. */
  folder: string
  /** Called when another process has changed tool groups. */
  reloadGroups?: ((tenant_id?: string) => Promise<void>) | undefined
  enrich?: Enrich | undefined
}

/** The clinic's administrator. */
export const admin: Principal = { tenant_id: 'clinic', user_id: 'admin', role: 'admin' }

/** A hub that governs the clinic's tools. A real one keeps its keys in another place. */
export async function startClinic({ folder, reloadGroups, enrich }: StartClinicOptions) {
  await using starting = new AsyncDisposableStack()
  const database = openClinicDatabase(join(folder, 'clinic.db'))
  starting.defer(() => database.close())
  const tools = createClinicTools({ database, enrich })
  const egress = starting.use(createEgress({ policy: { mode: 'public' } }))
  const sql = starting.use(openSql({ url: `sqlite:${join(folder, 'hub.db')}` }))
  await sql.migrate()
  const kv = starting.use(createMemoryKv())
  const keyring = createKeyring(await ensureKeyFile(join(folder, 'master.key')))
  const vault = createVault({ keyring })
  const [key] = (await ensureKeyFile(join(folder, 'installation.key'))) as [Buffer]
  const hub: Hub = starting.use(
    createHub({
      ...{ store: sql.hub, kv, vault, key, reloadGroups },
      features: { featuresOf: () => ['*'] },
      egressFor: () => egress,
      journalDir: join(folder, 'journal'),
      tools,
    }),
  )
  await hub.start()
  const cleanup = starting.move()
  return {
    ...{ hub, sql, kv, keyring, vault, key, egress },
    database,
    allowList: toAllowList(tools),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

/** These nine by name: a hub has tools of its own beside them. */
function toAllowList(tools: readonly OwnTool[]) {
  return tools.map(({ name }) => ({ server_id: ownServerId, tool: name }))
}
