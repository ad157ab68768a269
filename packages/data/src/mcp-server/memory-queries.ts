import { randomUUID } from 'node:crypto'
import { AppError, type QueryKey, type QueryRow, type QueryRows } from '@dataagent/schema'

/** Queries for as long as this process lasts. */
export function createMemoryQueries(): QueryRows {
  let rows: QueryRow[] = []
  let deleted: QueryKey[] = []
  const numbers = new Map<string, number>()

  function find(tenant_id: string, query_id: string): QueryRow | undefined {
    return rows.find((row) => row.tenant_id === tenant_id && row.query_id === query_id)
  }

  function remove(gone: readonly QueryRow[]): void {
    rows = rows.filter((row) => !gone.includes(row))
    deleted.push(...gone.map(({ tenant_id, query_id }) => ({ tenant_id, query_id })))
  }

  return {
    async add(query) {
      const { tenant_id, query_id, scope_id } = query
      if (find(tenant_id, query_id)) throw new AppError('conflict', `${query_id} is taken`)
      const scope = JSON.stringify([tenant_id, scope_id])
      const number = (numbers.get(scope) ?? 0) + 1
      numbers.set(scope, number)
      const row = structuredClone({ ...query, number })
      rows.push(row)
      return row
    },
    get: async (tenant_id, query_id) => find(tenant_id, query_id),
    getNumber: async (tenant_id, scope_id, number) =>
      rows.find(
        (row) => row.tenant_id === tenant_id && row.scope_id === scope_id && row.number === number,
      ),
    listScope: async (tenant_id, scope_id, { limit }) =>
      rows
        .filter(
          (row) => row.tenant_id === tenant_id && row.scope_id === scope_id && row.error === null,
        )
        .slice(-limit),
    list: async (tenant_id, { limit, offset, user_id, source_id }) =>
      rows
        .filter(
          (row) =>
            row.tenant_id === tenant_id &&
            (user_id === undefined || row.user_id === user_id) &&
            (source_id === undefined || row.source_id === source_id),
        )
        .toReversed()
        .sort((a, b) => b.as_of - a.as_of)
        .slice(offset, offset + limit),
    async copyScope(tenant_id, { from, to, before = Infinity }) {
      const [source, target] = [from, to].map((scope) => JSON.stringify([tenant_id, scope]))
      const last = numbers.get(source!)
      if (last === undefined) return []
      if (numbers.has(target!)) throw new AppError('conflict', `${to} has queries already`)
      const own = rows.filter((row) => row.tenant_id === tenant_id && row.scope_id === from)
      const later = own.filter(({ as_of }) => as_of >= before).map(({ number }) => number)
      const through = Math.min(last, ...later.map((number) => number - 1))
      numbers.set(target!, through)
      const kept = own.filter(({ number }) => number <= through)
      const copies = kept.map((row) => ({ ...row, query_id: randomUUID(), scope_id: to }))
      rows.push(...structuredClone(copies))
      return kept.map(({ query_id }, at) => ({ query_id, copy_id: copies[at]!.query_id }))
    },
    async deleteScopes(scope_ids) {
      remove(rows.filter(({ scope_id }) => scope_ids.includes(scope_id)))
      for (const scope of numbers.keys()) {
        if (scope_ids.includes((JSON.parse(scope) as [string, string])[1])) numbers.delete(scope)
      }
    },
    async deleteBefore(time, limit) {
      const old = rows.filter(({ as_of }) => as_of < time).sort((a, b) => a.as_of - b.as_of)
      remove(old.slice(0, limit))
      return Math.min(old.length, limit)
    },
    listDeleted: async (limit) => deleted.slice(0, limit),
    async forgetDeleted(keys) {
      deleted = deleted.filter(
        (one) =>
          !keys.some(
            ({ tenant_id, query_id }) => one.tenant_id === tenant_id && one.query_id === query_id,
          ),
      )
    },
  }
}
