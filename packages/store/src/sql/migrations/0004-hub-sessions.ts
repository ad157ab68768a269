import type { Migration } from '../migrate.ts'

/** Sessions, and the configurations of users' servers that they began with. */
export const hubSessions: Migration = {
  name: '0004-hub-sessions',
  async up({ types, createTable, createIndex }) {
    await createTable('hub_sessions', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('session_id', types.id, (column) => column.notNull())
        .addColumn('user_id', types.id, (column) => column.notNull())
        .addColumn('snapshot', types.integer, (column) => column.notNull())
        .addColumn('opened_at', types.integer, (column) => column.notNull())
        .addColumn('touched_at', types.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('hub_sessions_pk', ['tenant_id', 'session_id']),
    )
    await createIndex('hub_sessions_user', {
      table: 'hub_sessions',
      columns: ['tenant_id', 'user_id', 'snapshot'],
    })
    await createIndex('hub_sessions_touched', { table: 'hub_sessions', columns: ['touched_at'] })
    await createTable('mcp_server_editions', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('server_id', types.id, (column) => column.notNull())
        .addColumn('origin', types.id, (column) => column.notNull())
        .addColumn('owner', types.id, (column) => column.notNull())
        .addColumn('name', types.id, (column) => column.notNull())
        .addColumn('config', types.text, (column) => column.notNull())
        .addColumn('secrets', types.text)
        .addColumn('revision', types.integer, (column) => column.notNull())
        .addColumn('superseded_by', types.integer, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('updated_at', types.integer, (column) => column.notNull())
        .addColumn('created_by', types.id)
        .addPrimaryKeyConstraint('mcp_server_editions_pk', ['tenant_id', 'server_id']),
    )
    await createIndex('mcp_server_editions_origin', {
      table: 'mcp_server_editions',
      columns: ['tenant_id', 'origin'],
    })
  },
}
