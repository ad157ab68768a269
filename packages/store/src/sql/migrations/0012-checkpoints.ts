import type { Migration } from '../migrate.ts'

/** What LangGraph keeps of a thread: checkpoints, the values they share, and pending writes. */
export const checkpoints: Migration = {
  name: '0012-checkpoints',
  async up({ types, createTable, createIndex }) {
    await createTable('checkpoint_histories', (table) =>
      table
        .addColumn('history_id', types.id, (column) => column.primaryKey())
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('thread_id', types.id, (column) => column.notNull())
        .addColumn('checkpoint_ns', types.text, (column) => column.notNull()),
    )
    await createIndex('checkpoint_histories_of_thread', {
      table: 'checkpoint_histories',
      columns: ['tenant_id', 'thread_id'],
    })
    await createTable('checkpoints', (table) =>
      table
        .addColumn('history_id', types.id, (column) => column.notNull())
        .addColumn('checkpoint_id', types.id, (column) => column.notNull())
        .addColumn('parent_checkpoint_id', types.id)
        .addColumn('channel_versions', types.text, (column) => column.notNull())
        .addColumn('checkpoint', types.text, (column) => column.notNull())
        .addColumn('metadata_type', types.id, (column) => column.notNull())
        .addColumn('metadata', types.bytes, (column) => column.notNull())
        .addPrimaryKeyConstraint('checkpoints_pk', ['history_id', 'checkpoint_id']),
    )
    await createTable('checkpoint_values', (table) =>
      table
        .addColumn('history_id', types.id, (column) => column.notNull())
        .addColumn('channel', types.id, (column) => column.notNull())
        .addColumn('version', types.id, (column) => column.notNull())
        .addColumn('type', types.id, (column) => column.notNull())
        .addColumn('parts', types.text, (column) => column.notNull())
        .addColumn('tail', types.bytes, (column) => column.notNull())
        .addPrimaryKeyConstraint('checkpoint_values_pk', ['history_id', 'channel', 'version']),
    )
    await createTable('checkpoint_writes', (table) =>
      table
        .addColumn('history_id', types.id, (column) => column.notNull())
        .addColumn('checkpoint_id', types.id, (column) => column.notNull())
        .addColumn('task_id', types.id, (column) => column.notNull())
        .addColumn('idx', types.integer, (column) => column.notNull())
        .addColumn('channel', types.id, (column) => column.notNull())
        .addColumn('type', types.id, (column) => column.notNull())
        .addColumn('parts', types.text, (column) => column.notNull())
        .addColumn('tail', types.bytes, (column) => column.notNull())
        .addPrimaryKeyConstraint('checkpoint_writes_pk', [
          'history_id',
          'checkpoint_id',
          'task_id',
          'idx',
        ]),
    )
    await createTable('checkpoint_parts', (table) =>
      table
        .addColumn('history_id', types.id, (column) => column.notNull())
        .addColumn('hash', types.id, (column) => column.notNull())
        .addColumn('bytes', types.bytes, (column) => column.notNull())
        .addPrimaryKeyConstraint('checkpoint_parts_pk', ['history_id', 'hash']),
    )
  },
}
