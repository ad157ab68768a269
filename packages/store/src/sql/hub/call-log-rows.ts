import type {
  AnchorRow,
  CallLogFilters,
  CallLogQuery,
  CallLogRow,
  CallLogRows,
} from '@dataagent/hub'
import { isAppError } from '@dataagent/schema'
import { type InsertQueryBuilder, type InsertResult, sql, type Transaction } from 'kysely'
import type { Engine, SqlValue } from '../engine.ts'
import { minuteMs, startOf, toMinute } from '../start-of.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import type { HubRowsOptions } from './hub-store.ts'

const columns = [
  'tenant_id',
  'writer',
  'seq',
  'call_id',
  'trace_id',
  'span_id',
  'source',
  'user_id',
  'session_id',
  'run_id',
  'agent_id',
  'api_key',
  'group_id',
  'server_id',
  'tool_name',
  'schema_version',
  'definition_hash',
  'policy_revision',
  'decided_by',
  'input_validation',
  'output_validation',
  'approval_id',
  'attempts',
  'started_at',
  'ended_at',
  'duration_ms',
  'status',
  'error',
  'args_digest',
  'args',
  'result',
  'prev_hash',
  'hash',
] as const satisfies (keyof CallLogRow)[]

/** SQLite takes 32,766 parameters in a statement, PostgreSQL 65,535. */
const maxRows = 900
/** Below the smallest packet that database servers take by default. */
const maxWeight = 2 * 1024 * 1024

type Insert = InsertQueryBuilder<Database, keyof Database, InsertResult>

/** The log of tool calls, in hash chains, and the anchors of their heads. */
export function createCallLogRows({ db, engine }: HubRowsOptions): CallLogRows {
  return {
    async append(rows) {
      const parts = toParts(rows)
      if (parts.length > 1) return appendParts(parts)
      try {
        await engine.insertMany('mcp_tool_call_log', columns, rows.map(toValues))
      } catch (error) {
        if (!isAppError(error, 'conflict')) throw error
        await appendParts(parts)
      }
    },

    async writers(tenant_id) {
      const found = await db
        .selectFrom('mcp_tool_call_log')
        .select('writer')
        .distinct()
        .where('tenant_id', '=', tenant_id)
        .orderBy('writer')
        .execute()
      return found.map(({ writer }) => writer)
    },

    chain: (tenant_id, writer, after, limit) =>
      db
        .selectFrom('mcp_tool_call_log')
        .selectAll()
        .where('tenant_id', '=', tenant_id)
        .where('writer', '=', writer)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit)
        .execute(),

    query: (query) => toSelect({ db, engine }, query).execute(),

    async tally(query, by) {
      const key = by === 'minute' ? startOf(minuteMs) : sql.ref(by)
      const counted = toFiltered({ db, engine }, query)
        .select(({ fn }) => [
          key.as('key'),
          fn.countAll().as('calls'),
          sql<number>`sum(case when status = 'ok' then 0 else 1 end)`.as('failed'),
          fn.max('started_at').as('last_at'),
        ])
        .groupBy(key)
      if (by !== 'minute') return (await counted.execute()).map((row) => toTally(row, row.key))
      const found = await counted.select('status').groupBy('status').execute()
      return found.map((row) => ({
        ...toTally(row, toMinute(Number(row.key))),
        status: row.status,
      }))
    },

    async putAnchors(rows) {
      if (rows.length === 0) return
      await inTransaction(db, async (transaction) => {
        for (let from = 0; from < rows.length; from += maxRows) {
          const part = rows.slice(from, from + maxRows) as AnchorRow[]
          const insert = transaction.insertInto('mcp_audit_anchors').values(part)
          await leavingPresent(engine.kind, insert as unknown as Insert).execute()
        }
      })
    },

    anchors: (tenant_id, writer, after, limit) =>
      db
        .selectFrom('mcp_audit_anchors')
        .selectAll()
        .where('tenant_id', '=', tenant_id)
        .where('writer', '=', writer)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit)
        .execute(),
  }

  function appendParts(parts: readonly CallLogRow[][]): Promise<void> {
    return inTransaction(db, async (transaction) => {
      for (const part of parts) await insertAbsent(transaction, engine.kind, part)
    })
  }
}

type CallTally = Awaited<ReturnType<CallLogRows['tally']>>[number]
type Counts = Record<'calls' | 'failed' | 'last_at', unknown>

function toTally({ calls, failed, last_at }: Counts, key: unknown): CallTally {
  return {
    key: key === null ? null : String(key),
    ...{ calls: Number(calls), failed: Number(failed), last_at: Number(last_at) },
  }
}

/** Newest first. Rows of one moment have an order too, so that pages neither repeat nor skip. */
export function toSelect(options: HubRowsOptions, query: CallLogQuery) {
  return toFiltered(options, query)
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('writer', 'desc')
    .orderBy('seq', 'desc')
    .limit(query.limit)
    .offset(query.offset)
}

function toFiltered({ db, engine }: HubRowsOptions, query: CallLogFilters) {
  let select = db.selectFrom('mcp_tool_call_log').where('tenant_id', '=', query.tenant_id)
  for (const column of filters) {
    const value = query[column]
    if (value !== undefined) select = select.where(column, '=', value)
  }
  const { server_id, tool_name, as_told = false } = query
  const told = as_told ? toldFilters(engine.kind) : storedFilters
  if (server_id !== undefined) select = select.where(told.server_id(server_id))
  if (tool_name !== undefined) select = select.where(told.tool_name(tool_name))
  if (query.from !== undefined) select = select.where('started_at', '>=', query.from)
  if (query.to !== undefined) select = select.where('started_at', '<=', query.to)
  return select
}

const filters = [
  'user_id',
  'session_id',
  'agent_id',
  'group_id',
  'status',
  'trace_id',
  'call_id',
] as const satisfies (keyof CallLogFilters & keyof CallLogRow)[]

const storedFilters = {
  server_id: (server_id: string) => sql<boolean>`server_id = ${server_id}`,
  tool_name: (tool_name: string) => sql<boolean>`tool_name = ${tool_name}`,
}

/** A caller was told of no tool where the error says so, under the name that it holds. */
function toldFilters(kind: Engine['kind']): typeof storedFilters {
  const holds = (part: string) =>
    kind === 'postgres' ? sql`strpos(error, ${part}) > 0` : sql`instr(error, ${part}) > 0`
  // In JSON a quote within a text is escaped: neither part can stand in a message.
  const code = holds('"code":"tool_not_allowed"')
  const isRefused = sql`(status = 'denied' and error is not null and ${code})`
  return {
    server_id: (server_id) => sql`(server_id = ${server_id} and not ${isRefused})`,
    tool_name(tool_name) {
      const isAsked = holds(`"tool_name":${JSON.stringify(tool_name)}`)
      const isStored = storedFilters.tool_name(tool_name)
      return sql`((${isStored} and not ${isRefused}) or (${isRefused} and ${isAsked}))`
    },
  }
}

async function insertAbsent(
  transaction: Transaction<Database>,
  kind: Engine['kind'],
  rows: CallLogRow[],
): Promise<void> {
  if (rows.length === 0) return
  const insert = transaction.insertInto('mcp_tool_call_log').values(rows)
  await leavingPresent(kind, insert as unknown as Insert).execute()
}

/** MySQL's `insert ignore` would also cut what is too long, and say nothing. */
function leavingPresent(kind: Engine['kind'], insert: Insert): Insert {
  if (kind !== 'mysql') return insert.onConflict((on) => on.doNothing())
  return insert.onDuplicateKeyUpdate({ seq: sql`seq` } as never)
}

function toValues(row: CallLogRow): SqlValue[] {
  return columns.map((column) => row[column])
}

/** Parts that one statement may insert each. */
function toParts(rows: readonly CallLogRow[]): CallLogRow[][] {
  const parts: CallLogRow[][] = [[]]
  let weight = 0
  for (const row of rows) {
    const added = weigh(row)
    const part = parts.at(-1)!
    if (part.length > 0 && (part.length === maxRows || weight + added > maxWeight)) {
      parts.push([row])
      weight = added
    } else {
      part.push(row)
      weight += added
    }
  }
  return parts
}

function weigh({ args, result, error, decided_by, tool_name }: CallLogRow): number {
  const texts = [args, result, error, decided_by, tool_name]
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 1_000)
}
