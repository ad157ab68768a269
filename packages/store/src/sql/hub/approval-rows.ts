import type {
  ApprovalQuery,
  ApprovalRef,
  ApprovalRow,
  ApprovalRows,
  NewChange,
} from '@dataagent/hub'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { assertId } from '../ids.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import { insertChange } from './change-rows.ts'
import type { HubRowsOptions } from './hub-store.ts'

const idsPerQuery = 500

/** The approvals. Every change is one statement whose condition decides who makes it. */
export function createApprovalRows({ db }: HubRowsOptions): ApprovalRows {
  const select = () => db.selectFrom('approvals').selectAll()

  /** With a note it is a transaction, and the note is stored where the change takes place. */
  function change(note: NewChange | undefined, statement: (on: Kysely<Database>) => Statement) {
    if (note === undefined) return isOne(statement(db))
    return inTransaction(db, async (transaction) => {
      const isChanged = await isOne(statement(transaction))
      if (isChanged) await insertChange(transaction, note, null)
      return isChanged
    })
  }

  const decide: ApprovalRows['decide'] = (ref, decided, note) =>
    change(note, (on) =>
      update(on, ref, 'pending')
        .set({ ...decided, status: 'decided' })
        .where('expires_at', decided.via === 'expiry' ? '<=' : '>', decided.decided_at),
    )

  return {
    async insert(row) {
      for (const field of ['approval_id', 'tenant_id', 'caller', 'digest'] as const) {
        assertId(field, row[field])
      }
      await db.insertInto('approvals').values(row).execute()
    },

    async get(tenant_id, approval_id) {
      const row = await select().where('approval_id', '=', approval_id).executeTakeFirst()
      // MySQL compares without regard to spaces at the end.
      return row?.approval_id === approval_id && row.tenant_id === tenant_id ? row : undefined
    },

    async getMany(approval_ids) {
      const rows: ApprovalRow[] = []
      for (let from = 0; from < approval_ids.length; from += idsPerQuery) {
        const ids = approval_ids.slice(from, from + idsPerQuery)
        rows.push(...(await select().where('approval_id', 'in', ids).execute()))
      }
      return rows
    },

    findByDigest: (tenant_id, caller, digest) =>
      select()
        .where('tenant_id', '=', tenant_id)
        .where('caller', '=', caller)
        .where('digest', '=', digest)
        .orderBy('created_at', 'desc')
        .orderBy('approval_id')
        .limit(1)
        .executeTakeFirst(),

    list: (query) =>
      filter(select(), query)
        .orderBy('created_at', 'desc')
        .orderBy('approval_id')
        .limit(query.limit)
        .offset(query.offset)
        .execute(),

    decide,

    use: (ref, { used_at, digest, decided_after, earlier_use = null }) =>
      isOne(
        update(db, ref, earlier_use === null ? 'decided' : 'used')
          .set({ status: 'used', used_at })
          .where('used_at', earlier_use === null ? 'is' : '=', earlier_use)
          .where('decision', '=', 'approve')
          .where('digest', '=', digest)
          .where('decided_at', '>', decided_after),
      ),

    reask: (ref, round, note) =>
      change(note, (on) =>
        update(on, ref, 'decided')
          .set({ ...round, ...undecided, status: 'pending', asked: sql`asked + 1` })
          .where('via', 'in', ['expiry', 'withdrawal']),
      ),

    assign: (ref, { assignee, now }, note) =>
      change(note, (on) =>
        update(on, ref, 'pending').set({ assignee }).where('expires_at', '>', now),
      ),

    async countPending(now) {
      const row = await db
        .selectFrom('approvals')
        .select(({ fn }) => fn.countAll().as('n'))
        .where('status', '=', 'pending')
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return Number(row?.n ?? 0)
    },

    async expire(now, limit) {
      const due = await select()
        .where('status', '=', 'pending')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit)
        .execute()
      const expired: ApprovalRow[] = []
      for (const row of due) {
        const decided = { ...byExpiry, decided_at: now }
        if (await decide(row, decided)) {
          expired.push({ ...row, ...decided, status: 'decided' })
        }
      }
      return expired
    },
  }
}

const byExpiry = {
  decision: 'reject',
  message: '',
  via: 'expiry',
  decided_by: null,
  decision_details: null,
} as const

const undecided = {
  decision: null,
  message: null,
  via: null,
  decided_by: null,
  decided_at: null,
  decision_details: null,
}

function update(
  db: Kysely<Database>,
  { tenant_id, approval_id }: ApprovalRef,
  from: ApprovalRow['status'],
) {
  return db
    .updateTable('approvals')
    .where('approval_id', '=', approval_id)
    .where('tenant_id', '=', tenant_id)
    .where('status', '=', from)
}

interface Statement {
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint }>
}

async function isOne(statement: Statement): Promise<boolean> {
  return (await statement.executeTakeFirst()).numUpdatedRows === 1n
}

type Selection = SelectQueryBuilder<Database, 'approvals', ApprovalRow>

function filter(selection: Selection, query: ApprovalQuery): Selection {
  const { tenant_id, status, user_id, caller } = query
  let filtered = selection.where('tenant_id', '=', tenant_id)
  if (status !== undefined) filtered = filtered.where('status', '=', status)
  if (caller !== undefined) filtered = filtered.where('caller', '=', caller)
  if (user_id === undefined) return filtered
  return filtered.where(({ eb, or }) =>
    or([eb('user_id', '=', user_id), eb('assignee', '=', user_id)]),
  )
}
