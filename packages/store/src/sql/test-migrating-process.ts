import { Kysely } from 'kysely'
import { migrate } from './migrate.ts'
import { createEngine } from './open-sql.ts'
import type { Database } from './tables.ts'

/**
 * A process for kill tests: `test-migrating-process.ts URL AT` migrates and is killed right after
 * statement AT, if there are so many.
 */
const [url = '', at = ''] = process.argv.slice(2)
const engine = createEngine({ url, maxConnections: 2 })
let statements = 0
const db = new Kysely<Database>({
  dialect: engine.dialect,
  log() {
    statements += 1
    if (statements === Number(at)) process.kill(process.pid, 'SIGKILL')
  },
})

await migrate({ engine, db })
await db.destroy()
