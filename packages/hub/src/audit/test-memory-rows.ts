import { AppError } from '@dataagent/schema'
import type {
  AnchorRow,
  CallLogFilters,
  CallLogRow,
  CallLogRows,
  CallTally,
  TallyColumn,
} from './contract.ts'
import { toTold } from './to-told.ts'

/** The call log in memory, which tests may look into, change, and take away. */
export interface MemoryRows extends CallLogRows {
  log: CallLogRow[]
  anchorLog: AnchorRow[]
  isAway: boolean
  appends: number
  /** Takes all of a tenant away. */
  drop(tenant_id: string): void
}

const filters = [
  ...(['user_id', 'session_id', 'status', 'call_id', 'group_id'] as const),
  ...(['server_id', 'tool_name'] as const),
] as const

export function createMemoryRows(): MemoryRows {
  const present = new Set<string>()
  const memory: MemoryRows = {
    log: [],
    anchorLog: [],
    isAway: false,
    appends: 0,
    drop(tenant_id) {
      memory.log = memory.log.filter((row) => row.tenant_id !== tenant_id)
      memory.anchorLog = memory.anchorLog.filter((row) => row.tenant_id !== tenant_id)
      for (const key of present) if (key.startsWith(`${tenant_id}/`)) present.delete(key)
    },
    async append(rows) {
      assertThere()
      memory.appends += 1
      for (const row of rows) {
        const key = `${row.tenant_id}/${row.writer}/${row.seq}`
        if (!present.has(key)) memory.log.push(row)
        present.add(key)
      }
    },
    async writers(tenant_id) {
      assertThere()
      return [...new Set(memory.log.filter(of(tenant_id)).map(({ writer }) => writer))]
    },
    async chain(tenant_id, writer, after, limit) {
      assertThere()
      return pageOf(memory.log.filter(of(tenant_id, writer)), after, limit)
    },
    async query(query) {
      assertThere()
      return memory.log.filter((row) => matches(row, query)).slice(0, query.limit)
    },
    async tally(query, by) {
      assertThere()
      return tallyOf(
        memory.log.filter((row) => matches(row, query)),
        by,
      )
    },
    async putAnchors(rows) {
      assertThere()
      for (const row of rows) {
        const found = memory.anchorLog.filter(of(row.tenant_id, row.writer))
        if (!found.some(({ seq }) => seq === row.seq)) memory.anchorLog.push(row)
      }
    },
    async anchors(tenant_id, writer, after, limit) {
      assertThere()
      return pageOf(memory.anchorLog.filter(of(tenant_id, writer)), after, limit)
    },
  }
  return memory

  function assertThere(): void {
    if (memory.isAway) throw new AppError('store_unavailable', 'the database is away')
  }
}

function tallyOf(rows: readonly CallLogRow[], by: TallyColumn): CallTally[] {
  if (by === 'minute') {
    const minuteOf = ({ started_at }: CallLogRow) =>
      `${new Date(started_at).toISOString().slice(0, 16)}Z`
    return [...Map.groupBy(rows, ({ status }) => status)].flatMap(([status, found]) =>
      countBy(found, minuteOf).map((tally) => ({ ...tally, status })),
    )
  }
  return countBy(rows, (row) => row[by])
}

function countBy(
  rows: readonly CallLogRow[],
  keyOf: (row: CallLogRow) => string | null,
): CallTally[] {
  return [...Map.groupBy(rows, keyOf)].map(([key, found]) => ({
    key,
    calls: found.length,
    failed: found.filter(({ status }) => status !== 'ok').length,
    last_at: Math.max(...found.map(({ started_at }) => started_at)),
  }))
}

function matches(row: CallLogRow, query: CallLogFilters): boolean {
  const seen = query.as_told ? toTold(row) : row
  const isOther = (name: (typeof filters)[number]) => {
    return query[name] !== undefined && query[name] !== seen[name]
  }
  return row.tenant_id === query.tenant_id && !filters.some(isOther)
}

function of(tenant_id: string, writer?: string) {
  return (row: { tenant_id: string; writer: string }) =>
    row.tenant_id === tenant_id && (writer === undefined || row.writer === writer)
}

function pageOf<T extends { seq: number }>(rows: T[], after: number, limit: number): T[] {
  const behind = rows.filter(({ seq }) => seq > after)
  return behind.sort((a, b) => a.seq - b.seq).slice(0, limit)
}
