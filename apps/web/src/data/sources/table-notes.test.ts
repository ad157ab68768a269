import { dataSourceNotesSchema } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { toSaid, withTable } from './table-notes.ts'

const orders = {
  ...{ name: 'orders', row_count: 3 },
  columns: ['id', 'phone'].map((name) => ({ name, type: 'TEXT', kind: 'text' as const })),
}
const notes = {
  tables: {
    orders: { description: 'All orders', columns: { phone: { hidden: true } } },
    users: { hidden: true },
  },
}

test('what is noted of a table is in its form, and comes back the same', () => {
  const said = toSaid(orders, notes)
  expect(said.columns).toEqual({
    id: { description: '', hidden: false },
    phone: { description: '', hidden: true },
  })
  expect(withTable(notes, 'orders', said)).toEqual(notes)
})

test('a change of one table leaves the others, and what says nothing is not kept', () => {
  const said = { description: ' ', hidden: false, columns: {} }
  expect(withTable(notes, 'orders', said)).toEqual({ tables: { users: { hidden: true } } })
  const id = { description: 'Number', hidden: false }
  const changed = withTable(notes, 'orders', { ...said, columns: { id } })
  expect(changed.tables.orders).toEqual({ columns: { id: { description: 'Number' } } })
  expect(dataSourceNotesSchema.safeParse(changed).success).toBe(true)
})
