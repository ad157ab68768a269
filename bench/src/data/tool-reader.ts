import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createDataTools, createQueries, createSources, openKeptResults } from '@dataagent/data'
import { createEgress } from '@dataagent/guard'
import { type CallContext, createHub, createToolset } from '@dataagent/hub'
import type { QueryResult } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { openSql } from '@dataagent/store/sql'
import { temporaryDirectory } from '@dataagent/testkit'
import type { Reader, Table } from './contract.ts'
import { engines, toSource } from './our-source.ts'

const tenant_id = 'bench'
const admin = { tenant_id, user_id: 'root', role: 'platform_admin' } as const
const source = 'orders'

/** `run_sql` by the hub: checked, decided, audited, its rows kept, the query stored on SQLite. */
export async function openToolReader(table: Table): Promise<Reader> {
  await using cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const sql = cleanup.use(openSql({ url: `sqlite:${join(path, 'bench.db')}` }))
  await sql.migrate()
  const vault = createVault({ keyring: createKeyring([randomBytes(32)]) })
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const hub = cleanup.use(
    createHub({
      ...{ store: sql.hub, vault, key: randomBytes(32), journalDir: join(path, 'journal') },
      ...{ kv: cleanup.use(createMemoryKv()), egressFor: () => egress },
      features: { featuresOf: () => ['*'] },
    }),
  )
  await hub.start()
  const results = cleanup.use(await openKeptResults({ root: join(path, 'results') }))
  const sources = cleanup.use(createSources({ store: sql.data, vault, engines }))
  await sources.create(admin, { name: source, description: '', location: toSource(table) })
  const queries = createQueries({ store: sql.data, sources, results })
  const tools = createToolset(createDataTools({ sources, queries, store: sql.data, files }))
  const context: CallContext = {
    ...{ principal: { tenant_id, user_id: 'ada', role: 'user' }, session_id: 's1', tools },
    ...{ source: 'agent', approver: { kind: 'nobody' } },
  }
  const kept = cleanup.move()
  return {
    async read(asked) {
      const outcome = await hub.callTool(context, {
        tool: 'run_sql',
        args: { source, sql: asked },
      })
      if (outcome.status !== 'ok') throw new Error(JSON.stringify(outcome))
      return (outcome.result.raw.structuredContent as unknown as QueryResult).row_count ?? 0
    },
    flush: () => hub.audit.flush(),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

const files = {
  async write(): Promise<never> {
    throw new Error('nothing is exported here')
  },
}
