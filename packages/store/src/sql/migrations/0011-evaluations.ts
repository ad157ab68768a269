import type { Migration } from '../migrate.ts'

/** Sets of questions, runs of them, and what came of each question. */
export const evaluations: Migration = {
  name: '0011-evaluations',
  async up({ types, createTable, createIndex }) {
    await createTable('evaluation_datasets', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('dataset_id', types.id, (column) => column.notNull())
        .addColumn('user_id', types.id, (column) => column.notNull())
        .addColumn('name', types.id, (column) => column.notNull())
        .addColumn('question_count', types.integer, (column) => column.notNull())
        .addColumn('questions', types.text, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('updated_at', types.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('evaluation_datasets_pk', ['tenant_id', 'dataset_id']),
    )
    await createTable('evaluation_runs', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('run_id', types.id, (column) => column.notNull())
        .addColumn('user_id', types.id, (column) => column.notNull())
        .addColumn('dataset_id', types.id)
        .addColumn('name', types.text, (column) => column.notNull())
        .addColumn('source', types.id, (column) => column.notNull())
        .addColumn('state', types.id, (column) => column.notNull())
        .addColumn('owner', types.id, (column) => column.notNull())
        .addColumn('seen_at', types.integer, (column) => column.notNull())
        .addColumn('settings', types.text)
        .addColumn('question_count', types.integer, (column) => column.notNull())
        .addColumn('planned', types.integer, (column) => column.notNull())
        .addColumn('questions', types.text, (column) => column.notNull())
        .addColumn('report', types.text)
        .addColumn('error', types.text)
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('started_at', types.integer)
        .addColumn('ended_at', types.integer)
        .addPrimaryKeyConstraint('evaluation_runs_pk', ['tenant_id', 'run_id']),
    )
    await createIndex('evaluation_runs_of_tenant', {
      table: 'evaluation_runs',
      columns: ['tenant_id', 'created_at'],
    })
    await createIndex('evaluation_runs_of_user', {
      table: 'evaluation_runs',
      columns: ['tenant_id', 'user_id', 'created_at'],
    })
    await createIndex('evaluation_runs_age', { table: 'evaluation_runs', columns: ['seen_at'] })
    await createTable('evaluation_trials', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('run_id', types.id, (column) => column.notNull())
        .addColumn('seq', types.integer, (column) => column.notNull())
        .addColumn('question_id', types.id, (column) => column.notNull())
        .addColumn('status', types.id, (column) => column.notNull())
        .addColumn('json', types.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('evaluation_trials_pk', ['tenant_id', 'run_id', 'seq']),
    )
  },
}
