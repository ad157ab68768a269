import { randomUUID } from 'node:crypto'
import type { QueryRow, SourceRow, StoredDefinition, StoredQuestion } from '@dataagent/schema'

/** Rows for tests: what a test does not name is filled in. */
export function aSource(fields: Partial<SourceRow> = {}): SourceRow {
  return {
    ...{ tenant_id: randomUUID(), source_id: randomUUID(), name: '销售 Sales', kind: 'postgres' },
    ...{ description: 'Orders\nand more', scope: 'tenant', user_id: null, enabled: true },
    ...{ location: 'v1.sealed', notes: '{"tables":{}}', status: 'unknown', status_text: null },
    ...{ read_only: null, checked_at: null, created_at: 1, updated_at: 1 },
    ...fields,
  }
}

export function aDefinition(fields: Partial<StoredDefinition> = {}): StoredDefinition {
  return {
    ...{ tenant_id: randomUUID(), definition_id: randomUUID(), source_id: null },
    ...{ term: '收入', meaning: 'sum of paid amounts\nwithout refunds' },
    ...fields,
  }
}

export function aQuestion(fields: Partial<StoredQuestion> = {}): StoredQuestion {
  return {
    ...{ tenant_id: randomUUID(), question_id: randomUUID(), source_id: 'shop' },
    ...{ question: 'sales by region', also: ['各区域销售额', '"quoted"'], verified: true },
    ...{ sql: "select region, sum(amount) from orders where note <> 'a\\b' group by 1" },
    ...{ owner_user_id: null, updated_at: 1 },
    ...fields,
  }
}

export type NewQuery = Omit<QueryRow, 'number'>

export function aQuery(fields: Partial<NewQuery> = {}): NewQuery {
  return {
    ...{ tenant_id: randomUUID(), query_id: randomUUID(), scope_id: randomUUID() },
    ...{ user_id: 'ana', source_id: 'shop', source_name: 'Shop', sql: 'select 1', purpose: null },
    columns: [{ name: 'n', type: 'INTEGER', kind: 'integer' }],
    ...{ rows: [[1]], row_count: 1, kept_rows: 1, elapsed_ms: 5, as_of: 1_000 },
    ...{ error: null, verified_question_id: null },
    ...fields,
  }
}
