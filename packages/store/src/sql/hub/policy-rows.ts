import type { AllowList, NewChange, PolicyRows, Rule, Subject } from '@dataagent/hub'
import { readJson } from '@dataagent/schema'
import type { Kysely } from 'kysely'
import { assertId } from '../ids.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import { insertChange } from './change-rows.ts'
import type { HubRowsOptions } from './hub-store.ts'
import type { AllowListRow, LimitRow, RuleRow } from './tables.ts'
import { takeRevision } from './take-revision.ts'

type PolicyTable = 'mcp_allow_lists' | 'mcp_rules' | 'mcp_limits'
type Key = { tenant_id: string } & Record<string, string>
type Put = { key: Key; row: object; note: NewChange | undefined }

export function createPolicyRows({ db, engine }: HubRowsOptions): PolicyRows {
  /** Puts `row` in the place of the one with the same key. */
  function put(table: PolicyTable, { key, row, note }: Put): Promise<number> {
    return inTransaction(db, async (transaction) => {
      const topic = { tenant_id: key.tenant_id, topic: 'policy' as const }
      const revision = await takeRevision(transaction, engine.kind, topic)
      await deleteKey(transaction, table, key)
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

  async function read<T>(table: PolicyTable, tenant_id: string | undefined): Promise<T[]> {
    const query = db.selectFrom(table).selectAll()
    const own = tenant_id === undefined ? query : query.where('tenant_id', '=', tenant_id)
    return (await own.execute()) as T[]
  }

  return {
    async load(tenant_id) {
      const policy = db.selectFrom('hub_revisions').where('topic', '=', 'policy')
      const all = policy.select(['tenant_id', 'revision'])
      const own = tenant_id === undefined ? all : all.where('tenant_id', '=', tenant_id)
      return {
        revisions: await own.execute(),
        allowLists: (await read<AllowListRow>('mcp_allow_lists', tenant_id)).map(toAllowList),
        rules: (await read<RuleRow>('mcp_rules', tenant_id)).map(toRule),
        limits: (await read<LimitRow>('mcp_limits', tenant_id)).map(withSubject),
      }
    },

    async putAllowList({ subject, entries, ...fields }, note) {
      const key = toListKey(fields.tenant_id, subject)
      assertIds({ tenant_id: fields.tenant_id, subject_id: subject.id })
      const row = { ...fields, ...key, entries: JSON.stringify(entries) }
      return put('mcp_allow_lists', { key, row, note })
    },

    async putRule({ subject, trusts, ...fields }, note) {
      const { tenant_id, rule_id, server_id, tool } = fields
      assertIds({ tenant_id, rule_id, server_id, tool, subject_id: subject.id })
      const row = { ...fields, ...toColumns(subject), trusts: JSON.stringify(trusts) }
      return put('mcp_rules', { key: { tenant_id, rule_id }, row, note })
    },

    async putLimit({ subject, ...fields }, note) {
      const { tenant_id, limit_id, server_id, tool } = fields
      assertIds({ tenant_id, limit_id, server_id, tool, subject_id: subject.id })
      const row = { ...fields, ...toColumns(subject) }
      return put('mcp_limits', { key: { tenant_id, limit_id }, row, note })
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

function assertIds(ids: Record<string, string>): void {
  for (const [field, id] of Object.entries(ids)) assertId(field, id)
}

function toListKey(tenant_id: string, subject: Subject): Key {
  return { tenant_id, ...toColumns(subject) }
}

function toColumns({ kind, id }: Subject) {
  return { subject_kind: kind, subject_id: id }
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
