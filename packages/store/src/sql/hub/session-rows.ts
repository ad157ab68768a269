import type { EditionRow, SessionRow, SessionRows } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import type { Kysely, Transaction } from 'kysely'
import { assertId } from '../ids.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import { dropEditions } from './editions.ts'
import type { HubRowsOptions } from './hub-store.ts'
import { inRevision, lockRevisions } from './take-revision.ts'

type Ref = Pick<SessionRow, 'tenant_id' | 'session_id'>

/** How exact `touched_at` is. */
const touchMs = 60 * 60_000

/** Sessions, and what users' servers were when they began. */
export function createSessionRows({ db, engine }: HubRowsOptions): SessionRows {
  async function dropUnheld(tenant_id: string): Promise<boolean> {
    if ((await findUnheld(db, tenant_id)).length === 0) return false
    return inRevision({ db, engine }, { tenant_id, topic: 'servers' }, async (transaction) => {
      const unheld = new Set((await findUnheld(transaction, tenant_id)).map(toId))
      const means = { transaction, kind: engine.kind }
      return dropEditions(means, tenant_id, ({ server_id }) => unheld.has(server_id))
    })
  }

  return {
    async open(session, now) {
      for (const name of ['tenant_id', 'user_id', 'session_id'] as const) {
        assertId(name, session[name])
      }
      const known = await find(db, session)
      if (known) return goOn(db, checkUser(known, session), now)
      return inTransaction(db, async (transaction) => {
        await lockRevisions(transaction, engine.kind)
        const other = await find(transaction, session)
        if (other) return { snapshot: checkUser(other, session).snapshot, isNew: false }
        const snapshot = await readSnapshot(transaction, session.tenant_id)
        const row = { ...session, snapshot, opened_at: now, touched_at: now }
        await transaction.insertInto('hub_sessions').values(row).execute()
        return { snapshot, isNew: true }
      })
    },

    async close({ tenant_id, session_id }) {
      const rows = db.deleteFrom('hub_sessions')
      await rows.where(({ and }) => and({ tenant_id, session_id })).execute()
      return dropUnheld(tenant_id)
    },

    async sweep(before) {
      await db.deleteFrom('hub_sessions').where('touched_at', '<', before).execute()
      const tenants = new Set((await findUnheld(db)).map(({ tenant_id }) => tenant_id))
      for (const tenant_id of tenants) await dropUnheld(tenant_id)
      return [...tenants]
    },
  }
}

/** MySQL finds `a` by `a ` too: what was found is compared once more. */
async function find(
  db: Kysely<Database>,
  { tenant_id, session_id }: Ref,
): Promise<SessionRow | undefined> {
  const query = db.selectFrom('hub_sessions').selectAll()
  const row = await query.where(({ and }) => and({ tenant_id, session_id })).executeTakeFirst()
  return row?.session_id === session_id && row.tenant_id === tenant_id ? row : undefined
}

function checkUser(row: SessionRow, { user_id }: Pick<SessionRow, 'user_id'>): SessionRow {
  if (row.user_id === user_id) return row
  throw new AppError('not_found', `there is no session ${row.session_id}`)
}

async function goOn(db: Kysely<Database>, row: SessionRow, now: number) {
  const { tenant_id, session_id, snapshot, touched_at } = row
  if (now - touched_at > touchMs) {
    const rows = db.updateTable('hub_sessions').set({ touched_at: now })
    await rows.where(({ and }) => and({ tenant_id, session_id })).execute()
  }
  return { snapshot, isNew: false }
}

async function readSnapshot(
  transaction: Transaction<Database>,
  tenant_id: string,
): Promise<number> {
  const rows = transaction.selectFrom('hub_revisions').select('revision')
  const row = await rows.where(({ and }) => and({ tenant_id, topic: 'servers' })).executeTakeFirst()
  return row?.revision ?? 0
}

/** What no session sees any more: one that begins later sees what came after it. */
async function findUnheld(
  db: Kysely<Database>,
  tenant_id?: string,
): Promise<Pick<EditionRow, 'tenant_id' | 'server_id'>[]> {
  const all = db.selectFrom('mcp_server_editions as edition')
  const own = tenant_id === undefined ? all : all.where('edition.tenant_id', '=', tenant_id)
  return own
    .select(['edition.tenant_id', 'edition.server_id'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('hub_sessions as session')
            .select('session.session_id')
            .whereRef('session.tenant_id', '=', 'edition.tenant_id')
            .whereRef('session.user_id', '=', 'edition.owner')
            .whereRef('session.snapshot', '>=', 'edition.revision')
            .whereRef('session.snapshot', '<', 'edition.superseded_by'),
        ),
      ),
    )
    .execute()
}

function toId({ server_id }: Pick<EditionRow, 'server_id'>): string {
  return server_id
}
