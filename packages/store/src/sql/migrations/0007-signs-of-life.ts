import type { Migration } from '../migrate.ts'

/** That the process of a run is alive, for servers that share the database alone. */
export const signsOfLife: Migration = {
  name: '0007-signs-of-life',
  async up({ types, addColumn }) {
    await addColumn('runs', 'seen_at', (table) =>
      table.addColumn('seen_at', types.integer, (column) => column.notNull().defaultTo(0)),
    )
  },
}
