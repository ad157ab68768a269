import { randomBytes } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createQueries, createSources, openKeptResults } from '@dataagent/data'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { openSql } from '@dataagent/store/sql'

/** Paths of this machine are for administrators of the platform alone. */
export const administrator = {
  tenant_id: 'default',
  user_id: 'root',
  role: 'platform_admin',
} as const

/** Sources and queries, in a folder that goes with them. A real one keeps it, and its key. */
export async function openData() {
  await using made = new AsyncDisposableStack()
  const { path } = made.use(await mkdtempDisposable(join(tmpdir(), 'data-story-')))
  const sql = made.use(openSql({ url: `sqlite:${join(path, 'data.db')}` }))
  await sql.migrate()
  const vault = createVault({ keyring: createKeyring([randomBytes(32)]) })
  const sources = made.use(createSources({ store: sql.data, vault }))
  const results = made.use(await openKeptResults({ root: join(path, 'results') }))
  const queries = createQueries({ store: sql.data, sources, results })
  const cleanup = made.move()
  return { sources, queries, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}
