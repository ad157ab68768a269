import { join } from 'node:path'
import { createDatabase, findService, temporaryDirectory } from '@dataagent/testkit'
import { afterAll, beforeAll, describe } from 'vitest'
import { type OpenSqlOptions, openSql, type SqlStore } from './open-sql.ts'

export interface SqlSubject {
  kind: SqlStore['kind']
  /** The migrated store that the tests of this block share. */
  store: SqlStore
  /** The database's URL, for a second process or connection. */
  url: string
  /** Another store on the same database, closed at the end. */
  open(options?: Partial<OpenSqlOptions>): SqlStore
  /** The URL of another database, empty. */
  empty(): Promise<string>
}

/** The databases that tests run on. */
export const sqlKinds = ['sqlite', 'mysql', 'postgres'] as const

/**
 * Runs one body of tests on SQLite, MySQL and PostgreSQL, or those that are named, each with an
 * empty database of its own.
 */
export async function describeSql(
  title: string,
  body: (subject: () => SqlSubject) => void,
  kinds: readonly SqlStore['kind'][] = sqlKinds,
) {
  for (const kind of kinds) {
    const missing = kind !== 'sqlite' && !(await findService(kind))
    describe.skipIf(missing)(`${title} on ${kind}`, () => {
      const cleanup = new AsyncDisposableStack()
      let subject: SqlSubject | undefined
      beforeAll(async () => {
        subject = await makeSubject(kind, cleanup)
      })
      afterAll(() => cleanup.disposeAsync())
      body(() => subject!)
    })
  }
}

async function makeSubject(
  kind: SqlStore['kind'],
  cleanup: AsyncDisposableStack,
): Promise<SqlSubject> {
  const url = await makeDatabase(kind, cleanup)
  const open = (options: Partial<OpenSqlOptions> = {}) => cleanup.use(openSql({ url, ...options }))
  const store = open()
  await store.migrate()
  return { kind, store, url, open, empty: () => makeDatabase(kind, cleanup) }
}

async function makeDatabase(kind: SqlStore['kind'], cleanup: AsyncDisposableStack) {
  if (kind !== 'sqlite') return cleanup.use(await createDatabase(kind)).url
  const directory = cleanup.use(await temporaryDirectory())
  return `sqlite:${join(directory.path, 'dataagent.db')}`
}
