import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { openSql } from '@dataagent/store/sql'
import { temporaryDirectory } from '@dataagent/testkit'
import type { HubOptions } from '../hub-options.ts'
import type { ChildOptions } from './test-child-hub.ts'

/** What outlives a hub: for tests that start a second one on what the first has left. */
export interface TestStore extends AsyncDisposable {
  dir: string
  /** For a hub in this process. */
  options: Pick<HubOptions, 'store' | 'vault' | 'key' | 'journalDir'>
  /** The same for a hub in a process of its own. */
  child: ChildOptions
}

export async function openTestStore(): Promise<TestStore> {
  const cleanup = new AsyncDisposableStack()
  const { path: dir } = cleanup.use(await temporaryDirectory())
  const url = `sqlite:${join(dir, 'hub.db')}`
  const sql = cleanup.use(openSql({ url }))
  await sql.migrate()
  const key = randomBytes(32)
  const vault = createVault({ keyring: createKeyring([key]) })
  const journalDir = join(dir, 'journal')
  return {
    dir,
    options: { store: sql.hub, vault, key, journalDir },
    child: { url, journalDir, key: key.toString('hex') },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
