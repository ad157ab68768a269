import type { Migration } from '../migrate.ts'

/** The trace in which a run was begun: who picks it up goes on with that trace. */
export const runTraces: Migration = {
  name: '0010-run-traces',
  async up({ types, addColumn }) {
    await addColumn('runs', 'traceparent', (table) => table.addColumn('traceparent', types.text))
  },
}
