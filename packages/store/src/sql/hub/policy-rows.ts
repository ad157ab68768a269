import type { AllowList, NewChange, PolicyRoom, PolicyRows, Rule, Subject } from '@dataagent/hub'
import { readJson } from '@dataagent/schema'
import type { Kysely, Transaction } from 'kysely'
import { assertRoom } from '../assert-room.ts'
import { assertId } from '../ids.ts'
import { isBehind } from '../is-behind.ts'
import { readAll } from '../read-all.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import { insertChange } from './change-rows.ts'
import type { HubRowsOptions } from './hub-store.ts'
import type { AllowListRow, LimitRow, RuleRow } from './tables.ts'
import { takeRevision } from './take-revision.ts'

type PolicyTable = 'mcp_allow_lists' | 'mcp_rules' | 'mcp_limits'
type Key = { tenant_id: string } & Record<string, string>
type Row = { tenant_id: string; subject_kind: string; subject_id: string; tier?: string }
type Put = { key: Key; row: Row; note: NewChange | undefined; room: PolicyRoom | undefined }
type Since = { tenant_id: string | undefined; after: number }

const keysOf = {
  mcp_allow_lists: ['subject_kind', 'subject_id'],
  mcp_rules: ['rule_id'],
  mcp_limits: ['limit_id'],
} as const satisfies Record<PolicyTable, readonly string[]>
const names = { mcp_allow_lists: 'allow-lists', mcp_rules: 'rules', mcp_limits: 'limits' } as const
const rowsAtOnce = { mcp_allow_lists: 50, mcp_rules: 500, mcp_limits: 500 } as const

export function createPolicyRows({ db, engine }: HubRowsOptions): PolicyRows {
  /** Puts `row` in the place of the one with the same key. */
  function put(table: PolicyTable, { key, row, note, room }: Put): Promise<number> {
    return inTransaction(db, async (transaction) => {
      const topic = { tenant_id: key.tenant_id, topic: 'policy' as const }
      const revision = await takeRevision(transaction, engine.kind, topic)
      const isNew = !(await deleteKey(transaction, table, key))
      if (isNew) await assertRoomFor(transaction, table, { row, room })
      await transaction
        .insertInto(table)
        .values({ ...row, revision } as never)
        .execute()
      await insertChange(transaction, note, revision)
      return revision
    })
  }

  /** Takes no revision where there is nothing to delete. */
  async function remove(table: PolicyTable, key: Key, note: NewChange | undefined) {
    const found = db
      .selectFrom(table)
      .select('revision')
      .where(({ and }) => and(key as never))
    if ((await found.executeTakeFirst()) === undefined) return undefined
    return inTransaction(db, async (transaction) => {
      const topic = { tenant_id: key.tenant_id, topic: 'policy' as const }
      const revision = await takeRevision(transaction, engine.kind, topic)
      if (!(await deleteKey(transaction, table, key))) return undefined
      await insertChange(transaction, note, revision)
      return revision
    })
  }

  async function read<T extends Row>(table: PolicyTable, { tenant_id, after }: Since) {
    const key = ['tenant_id', ...keysOf[table]] as const
    const all = db.selectFrom(table).selectAll().where('revision', '>', after)
    const own = tenant_id === undefined ? all : all.where('tenant_id', '=', tenant_id)
    const ordered = key.reduce((query, column) => query.orderBy(column as never), own)
    return (await readAll<unknown>(engine.kind, rowsAtOnce[table], (limit, last) =>
      (last ? ordered.where(isBehind(key as never, last)) : ordered).limit(limit),
    )) as T[]
  }

  async function readRows(since: Since) {
    return {
      allowLists: (await read<AllowListRow>('mcp_allow_lists', since)).map(toAllowList),
      rules: (await read<RuleRow>('mcp_rules', since)).map(toRule),
      limits: (await read<LimitRow>('mcp_limits', since)).map(withSubject),
    }
  }

  async function readKeys(tenant_id: string) {
    const lists = db.selectFrom('mcp_allow_lists').select(keysOf.mcp_allow_lists)
    const rules = db.selectFrom('mcp_rules').select('rule_id')
    const limits = db.selectFrom('mcp_limits').select('limit_id')
    const ofTenant = { tenant_id } as never
    return {
      allowLists: (await lists.where(({ and }) => and(ofTenant)).execute()).map(toSubject),
      rules: (await rules.where(({ and }) => and(ofTenant)).execute()).map((row) => row.rule_id),
      limits: (await limits.where(({ and }) => and(ofTenant)).execute()).map((row) => row.limit_id),
    }
  }

  function readRevisions(tenant_id: string | undefined) {
    const policy = db.selectFrom('hub_revisions').where('topic', '=', 'policy')
    const all = policy.select(['tenant_id', 'revision'])
    return (tenant_id === undefined ? all : all.where('tenant_id', '=', tenant_id)).execute()
  }

  return {
    async load(tenant_id) {
      const revisions = await readRevisions(tenant_id)
      return { revisions, ...(await readRows({ tenant_id, after: 0 })) }
    },

    async loadSince(tenant_id, after) {
      const [stand] = await readRevisions(tenant_id)
      const put = await readRows({ tenant_id, after })
      return { revision: stand?.revision ?? 0, ...put, keys: await readKeys(tenant_id) }
    },

    async putAllowList({ subject, entries, ...fields }, note, room) {
      const key = toListKey(fields.tenant_id, subject)
      assertIds({ tenant_id: fields.tenant_id, subject_id: subject.id })
      const row = { ...fields, ...toColumns(subject), entries: JSON.stringify(entries) }
      return put('mcp_allow_lists', { key, row, note, room })
    },

    async putRule({ subject, trusts, ...fields }, note, room) {
      const { tenant_id, rule_id, server_id, tool } = fields
      assertIds({ tenant_id, rule_id, server_id, tool, subject_id: subject.id })
      const row = { ...fields, ...toColumns(subject), trusts: JSON.stringify(trusts) }
      return put('mcp_rules', { key: { tenant_id, rule_id }, row, note, room })
    },

    async putLimit({ subject, ...fields }, note, room) {
      const { tenant_id, limit_id, server_id, tool } = fields
      assertIds({ tenant_id, limit_id, server_id, tool, subject_id: subject.id })
      const row = { ...fields, ...toColumns(subject) }
      return put('mcp_limits', { key: { tenant_id, limit_id }, row, note, room })
    },

    deleteAllowList: (tenant_id, subject, note) =>
      remove('mcp_allow_lists', toListKey(tenant_id, subject), note),
    deleteRule: (tenant_id, rule_id, note) => remove('mcp_rules', { tenant_id, rule_id }, note),
    deleteLimit: (tenant_id, limit_id, note) => remove('mcp_limits', { tenant_id, limit_id }, note),
  }
}

async function deleteKey(db: Kysely<Database>, table: PolicyTable, key: Key): Promise<boolean> {
  const query = db.deleteFrom(table).where(({ and }) => and(key as never))
  return (await query.executeTakeFirst()).numDeletedRows > 0n
}

/** The revision that was taken before keeps others from adding until the transaction ends. */
async function assertRoomFor(
  transaction: Transaction<Database>,
  table: PolicyTable,
  { row, room: { perTenant, perSubject } = {} }: Pick<Put, 'row' | 'room'>,
): Promise<void> {
  const { tenant_id, subject_kind, subject_id, tier } = row
  const alike = { tenant_id, ...(tier !== undefined && { tier }) }
  const count = (fields: object) =>
    transaction.selectFrom(table).where(({ and }) => and(fields as never))
  const what = names[table]
  const ofSubject = count({ ...alike, subject_kind, subject_id })
  const who = `the ${subject_kind} may have`
  await assertRoom(ofSubject, { max: perSubject, limit: 'perSubject', who, what })
  const ofTenant = { max: perTenant, limit: 'perTenant', who: 'the tenant may have', what }
  await assertRoom(count(alike), ofTenant)
}

function assertIds(ids: Record<string, string>): void {
  for (const [field, id] of Object.entries(ids)) assertId(field, id)
}

function toListKey(tenant_id: string, subject: Subject): Key {
  return { tenant_id, ...toColumns(subject) }
}

function toColumns({ kind, id }: Subject) {
  return { subject_kind: kind, subject_id: id }
}

function toSubject(row: { subject_kind: string; subject_id: string }): Subject {
  return { kind: row.subject_kind as Subject['kind'], id: row.subject_id }
}

function withSubject<T extends { subject_kind: Subject['kind']; subject_id: string }>(row: T) {
  const { subject_kind, subject_id, ...fields } = row
  return { ...fields, subject: { kind: subject_kind, id: subject_id } }
}

function toAllowList({ entries, ...row }: AllowListRow): AllowList {
  return { ...withSubject(row), entries: readJson(entries) as AllowList['entries'] }
}

function toRule({ trusts, ...row }: RuleRow): Rule {
  return { ...withSubject(row), trusts: readJson(trusts) as string[] }
}
