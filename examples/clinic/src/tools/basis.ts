import { z } from 'zod'
import { all, asOf, type Clinic } from '../database/index.ts'

/** What an answer rests on. */
export const basisSchema = z.object({
  as_of: z.string().describe('规则中的“今天”，即数据截止日'),
  rows: z
    .array(z.object({ table: z.string(), ids: z.array(z.string()) }))
    .describe('结果所依据的数据行'),
  rules: z.array(z.string()).describe('结果所依据的规则'),
  generated_tables: z.array(z.string()).describe('其中为演示而生成的数据表'),
  note: z.string(),
})

export type Basis = z.infer<typeof basisSchema>

/** Says of the rows which are of tables that were generated. */
export function toBasis(
  clinic: Clinic,
  rows: Record<string, readonly string[]>,
  rules: readonly string[] = [],
): Basis {
  const generated = all<{ table_name: string }>(clinic, 'SELECT table_name FROM generated_data')
  const names = new Set(generated.map(({ table_name }) => table_name))
  const generated_tables = Object.keys(rows).filter((table) => names.has(table))
  return {
    as_of: asOf,
    rows: Object.entries(rows).map(([table, ids]) => ({ table, ids: [...ids] })),
    rules: [...rules],
    generated_tables,
    note: generated_tables.length > 0 ? '数据为演示而生成，其中的人物均不存在。' : '',
  }
}
