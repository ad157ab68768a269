import type { ToolHashRow, ToolRow, ToolRows, ToolVersionRow } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { expressionBuilder, sql, type Transaction } from 'kysely'
import { assertId } from '../ids.ts'
import { isBehind } from '../is-behind.ts'
import { readAll } from '../read-all.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import { insertChange } from './change-rows.ts'
import type { HubRowsOptions } from './hub-store.ts'
import { takeRevision } from './take-revision.ts'

/** SQLite takes 32,766 parameters, PostgreSQL 65,535; a row has at most twelve. */
const batchRows = 500
/** Definitions can be large: a statement stays well under MySQL's smallest packet. */
const batchCharacters = 2_000_000

/** Tools and their versions. All who write take their turn at the revision: nothing is raced. */
export function createToolRows({ db, engine }: HubRowsOptions): ToolRows {
  const upsert = engine.kind === 'mysql' ? upsertOnMysql : upsertElsewhere

  return {
    async list(tenant_id, server_id) {
      const of = ofServer(tenant_id, server_id)
      const query = db.selectFrom('mcp_tools').selectAll().where(of)
      const ordered = query.orderBy('tenant_id').orderBy('server_id').orderBy('name')
      const found = await readAll<ToolRow>(engine.kind, 250, (limit, last) =>
        last
          ? ordered.where(isBehind(['tenant_id', 'server_id', 'name'], last)).limit(limit)
          : ordered.limit(limit),
      )
      return found.sort(byPlace)
    },

    listHashes(tenant_id, server_id) {
      const key = ['tenant_id', 'server_id', 'name', 'version'] as const
      const of = ofServer(tenant_id, server_id)
      const query = db
        .selectFrom('mcp_tool_versions')
        .select([...key, 'hash'])
        .where(of)
      const ordered = query.orderBy('tenant_id').orderBy('server_id').orderBy('name')
      const inOrder = ordered.orderBy('version')
      return readAll<ToolHashRow>(engine.kind, 5_000, (limit, last) =>
        last ? inOrder.where(isBehind(key, last)).limit(limit) : inOrder.limit(limit),
      )
    },

    listVersions: ({ tenant_id, server_id, name }) =>
      db
        .selectFrom('mcp_tool_versions')
        .selectAll()
        .where('tenant_id', '=', tenant_id)
        .where('server_id', '=', server_id)
        .where('name', '=', name)
        .orderBy('version')
        .execute(),

    async put(changes, versions, { keep, drop = [], note } = {}) {
      const rows = changes.map(({ row }) => row)
      const scope = scopeOf([...rows, ...versions, ...drop.map(({ row }) => row)])
      if (scope === undefined) return 0
      return inTransaction(db, async (transaction) => {
        const revision = await takeRevision(transaction, engine.kind, { ...scope, topic: 'tools' })
        await assertUnchanged(transaction, [...changes, ...drop])
        await deleteTools(transaction, drop)
        const missing = await keepMissing(transaction, versions)
        for (const batch of inBatches(missing)) {
          await transaction.insertInto('mcp_tool_versions').values(batch).execute()
        }
        if (keep !== undefined) await dropOldest(transaction, missing, { changes, keep })
        for (const batch of inBatches(rows)) await upsert(transaction, batch)
        await insertChange(transaction, note, revision)
        return revision
      })
    },

    approve: ({ row, before }, { approved_at, approved_by }, note) =>
      inTransaction(db, async (transaction) => {
        const { tenant_id, server_id, name, version, hash } = row
        const topic = { tenant_id, topic: 'tools' } as const
        const revision = await takeRevision(transaction, engine.kind, topic)
        await assertUnchanged(transaction, [{ row, before }])
        const { numUpdatedRows } = await transaction
          .updateTable('mcp_tool_versions')
          .set({ approved_at, approved_by })
          .where('tenant_id', '=', tenant_id)
          .where('server_id', '=', server_id)
          .where('name', '=', name)
          .where('version', '=', version)
          .where('hash', '=', hash)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw conflict(name, `has no version ${version} of that hash`)
        await upsert(transaction, [row])
        await insertChange(transaction, note, revision)
        return revision
      }),
  }
}

function ofServer(tenant_id?: string, server_id?: string) {
  const { and } = expressionBuilder<Database, 'mcp_tools' | 'mcp_tool_versions'>()
  return and({
    ...(tenant_id !== undefined && { tenant_id }),
    ...(server_id !== undefined && { server_id }),
  })
}

/** In the order of their servers, and of each in its own. */
function byPlace(left: ToolRow, right: ToolRow): number {
  if (left.tenant_id !== right.tenant_id) return left.tenant_id < right.tenant_id ? -1 : 1
  if (left.server_id !== right.server_id) return left.server_id < right.server_id ? -1 : 1
  return left.position - right.position
}

type ToolChange = Parameters<ToolRows['put']>[0][number]
type ToolKey = Pick<ToolRow, 'tenant_id' | 'server_id' | 'name'>

/** One tenant and server per change, as an observation is of one. */
function scopeOf(rows: readonly ToolKey[]): { tenant_id: string } | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  for (const { tenant_id, server_id, name } of rows) {
    assertId('name', name)
    if (tenant_id === first.tenant_id && server_id === first.server_id) continue
    throw new AppError('invalid_request', 'tools are stored for one server at a time')
  }
  return { tenant_id: first.tenant_id }
}

/** Throws `conflict` where a stored tool is neither what the change stands on nor its result. */
async function assertUnchanged(
  transaction: Transaction<Database>,
  changes: readonly ToolChange[],
): Promise<void> {
  const columns = ['name', 'state', 'version', 'hash', 'pending_version'] as const
  const changeOf = new Map(changes.map((change) => [change.row.name, change]))
  for (const batch of inBatches(changes.map(({ row }) => row))) {
    const { tenant_id, server_id } = batch[0]!
    const found = await transaction
      .selectFrom('mcp_tools')
      .select(columns)
      .where('tenant_id', '=', tenant_id)
      .where('server_id', '=', server_id)
      .where(
        'name',
        'in',
        batch.map(({ name }) => name),
      )
      .execute()
    const byName = new Map(found.map((row) => [row.name, row]))
    for (const { name } of batch) assertSame(byName.get(name), changeOf.get(name)!)
  }
}

function assertSame(stored: ToolChange['before'], { row, before }: ToolChange): void {
  if (isSame(stored, before) || isSame(stored, row)) return
  throw conflict(row.name, 'was changed by another process')
}

function isSame(left: ToolChange['before'], right: ToolChange['before']): boolean {
  if (left === undefined || right === undefined) return left === right
  return (
    left.state === right.state &&
    left.version === right.version &&
    left.hash === right.hash &&
    left.pending_version === right.pending_version
  )
}

/** The versions that are not stored yet. Throws `conflict` where one is, with another hash. */
async function keepMissing(
  transaction: Transaction<Database>,
  versions: readonly ToolVersionRow[],
): Promise<ToolVersionRow[]> {
  const missing: ToolVersionRow[] = []
  for (const batch of inBatches(versions)) {
    const { tenant_id, server_id } = batch[0]!
    const names = [...new Set(batch.map(({ name }) => name))]
    const found = await transaction
      .selectFrom('mcp_tool_versions')
      .select(['name', 'version', 'hash'])
      .where('tenant_id', '=', tenant_id)
      .where('server_id', '=', server_id)
      .where('name', 'in', names)
      .execute()
    const hashes = new Map(found.map((row) => [`${row.version}/${row.name}`, row.hash]))
    for (const row of batch) {
      const hash = hashes.get(`${row.version}/${row.name}`)
      if (hash === undefined) missing.push(row)
      else if (hash !== row.hash) {
        throw conflict(row.name, `has another version ${row.version} by now`)
      }
    }
  }
  return missing
}

/** Of the versions that nobody approved, and that are of the kind of a new one. */
async function dropOldest(
  transaction: Transaction<Database>,
  added: readonly ToolVersionRow[],
  { changes, keep }: { changes: readonly ToolChange[]; keep: number },
): Promise<void> {
  const rowOf = new Map(changes.map(({ row }) => [row.name, row]))
  for (const { tenant_id, server_id, name, version, approved_at, approved_by } of added) {
    if (version <= keep || approved_by !== null) continue
    const { and, eb } = expressionBuilder<Database, 'mcp_tool_versions'>()
    const ofKind = and([
      and({ tenant_id, server_id, name }),
      eb('approved_by', 'is', null),
      eb('approved_at', approved_at === null ? 'is' : 'is not', null),
    ])
    const found = transaction.selectFrom('mcp_tool_versions').select('version').where(ofKind)
    const tooOld = await found.orderBy('version', 'desc').limit(batchRows).offset(keep).execute()
    const row = rowOf.get(name)
    const old = tooOld.map((each) => each.version)
    const unused = old.filter((each) => each !== row?.version && each !== row?.pending_version)
    if (unused.length === 0) continue
    const drop = transaction
      .deleteFrom('mcp_tool_versions')
      .where(and({ tenant_id, server_id, name }))
    await drop.where('version', 'in', unused).execute()
  }
}

async function deleteTools(
  transaction: Transaction<Database>,
  dropped: readonly ToolChange[],
): Promise<void> {
  for (const batch of inBatches(dropped.map(({ row }) => row))) {
    const { tenant_id, server_id } = batch[0]!
    const { and, eb } = expressionBuilder<Database, 'mcp_tools' | 'mcp_tool_versions'>()
    const names = batch.map(({ name }) => name)
    const those = and([and({ tenant_id, server_id }), eb('name', 'in', names)])
    await transaction.deleteFrom('mcp_tools').where(those).execute()
    await transaction.deleteFrom('mcp_tool_versions').where(those).execute()
  }
}

function conflict(name: string, what: string): AppError {
  return new AppError('conflict', `the tool ${name} ${what}; read it again`)
}

const changing = [
  'state',
  'version',
  'hash',
  'definition',
  'findings',
  'pending_version',
  'position',
  'seen_at',
] as const

async function upsertOnMysql(transaction: Transaction<Database>, rows: ToolRow[]): Promise<void> {
  const set = Object.fromEntries(
    changing.map((column) => [column, sql`values(${sql.ref(column)})`]),
  )
  await transaction.insertInto('mcp_tools').values(rows).onDuplicateKeyUpdate(set).execute()
}

async function upsertElsewhere(transaction: Transaction<Database>, rows: ToolRow[]) {
  const set = Object.fromEntries(changing.map((column) => [column, sql.ref(`excluded.${column}`)]))
  await transaction
    .insertInto('mcp_tools')
    .values(rows)
    .onConflict((on) => on.columns(['tenant_id', 'server_id', 'name']).doUpdateSet(set))
    .execute()
}

function* inBatches<Row extends { definition: string }>(rows: readonly Row[]): Generator<Row[]> {
  let batch: Row[] = []
  let characters = 0
  for (const row of rows) {
    batch.push(row)
    characters += row.definition.length
    if (batch.length < batchRows && characters < batchCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}
