import type { Migration } from '../migrate.ts'

/** What users think of their turns. */
export const turnFeedback: Migration = {
  name: '0008-turn-feedback',
  async up({ types, createTable, createIndex }) {
    await createTable('turn_feedback', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('session_id', types.id, (column) => column.notNull())
        .addColumn('seq', types.integer, (column) => column.notNull())
        .addColumn('user_id', types.id, (column) => column.notNull())
        .addColumn('assistant_id', types.id, (column) => column.notNull())
        .addColumn('rating', types.id, (column) => column.notNull())
        .addColumn('reason', types.text)
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('updated_at', types.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('turn_feedback_pk', ['tenant_id', 'session_id', 'seq']),
    )
    await createIndex('turn_feedback_of_tenant', {
      table: 'turn_feedback',
      columns: ['tenant_id', 'updated_at'],
    })
    await createIndex('turn_feedback_age', { table: 'turn_feedback', columns: ['updated_at'] })
  },
}
