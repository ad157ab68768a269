import type { DataPlan } from '@dataagent/schema'

/** A plan that is a text; undefined for one that is a table. */
export function toPlanText({ columns, rows }: DataPlan): string | undefined {
  const names = columns.map(({ name }) => name)
  const at = (name: string) => names.indexOf(name)
  if (names.length === 1) return rows.map(([line]) => String(line)).join('\n')
  const tree = at('explain_value')
  if (tree !== -1) return rows.map((row) => String(row[tree]).trimEnd()).join('\n\n')
  const [id, parent, detail] = [at('id'), at('parent'), at('detail')]
  if (id === -1 || parent === -1 || detail === -1) return undefined
  const depths = new Map<unknown, number>()
  return rows
    .map((row) => {
      const depth = (depths.get(row[parent]) ?? -1) + 1
      depths.set(row[id], depth)
      return `${'  '.repeat(depth)}${row[detail]}`
    })
    .join('\n')
}
