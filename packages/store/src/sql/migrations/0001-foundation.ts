import type { Migration } from '../migrate.ts'

export const foundation: Migration = {
  name: '0001-foundation',
  async up({ types, createTable, createIndex }) {
    await createTable('settings', (table) =>
      table
        .addColumn('name', types.id, (column) => column.primaryKey())
        .addColumn('value', types.text, (column) => column.notNull()),
    )
    await createTable('tenants', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.primaryKey())
        .addColumn('name', types.id, (column) => column.notNull())
        .addColumn('max_users', types.integer)
        .addColumn('max_sessions_per_user', types.integer)
        .addColumn('max_mcp_servers', types.integer)
        .addColumn('workspace_quota', types.integer)
        .addColumn('features_enabled', types.text, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull()),
    )
    await createTable('users', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('user_id', types.id, (column) => column.notNull())
        .addColumn('name', types.id, (column) => column.notNull())
        .addColumn('role', types.id, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('disabled_at', types.integer)
        .addPrimaryKeyConstraint('users_pk', ['tenant_id', 'user_id'])
        .addForeignKeyConstraint('users_tenant', ['tenant_id'], 'tenants', ['tenant_id']),
    )
    await createTable('api_keys', (table) =>
      table
        .addColumn('key_id', types.id, (column) => column.primaryKey())
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('user_id', types.id, (column) => column.notNull())
        .addColumn('name', types.id, (column) => column.notNull())
        .addColumn('role', types.id, (column) => column.notNull())
        .addColumn('hashed_api_key', types.id, (column) => column.notNull())
        .addColumn('key_mac', types.id, (column) => column.notNull())
        .addColumn('pepper_kid', types.id, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('expires_at', types.integer)
        .addColumn('revoked_at', types.integer)
        .addColumn('last_used_at', types.integer)
        .addForeignKeyConstraint('api_keys_user', ['tenant_id', 'user_id'], 'users', [
          'tenant_id',
          'user_id',
        ]),
    )
    await createIndex('api_keys_hash', {
      table: 'api_keys',
      columns: ['hashed_api_key'],
      unique: true,
    })
    await createTable('sessions', (table) =>
      table
        .addColumn('session_id', types.id, (column) => column.primaryKey())
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('user_id', types.id, (column) => column.notNull())
        .addColumn('assistant_id', types.id, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('last_active', types.integer, (column) => column.notNull())
        .addColumn('state', types.text, (column) => column.notNull())
        .addColumn('metadata', types.text, (column) => column.notNull()),
    )
    await createIndex('sessions_user', {
      table: 'sessions',
      columns: ['tenant_id', 'user_id', 'last_active'],
    })
    await createIndex('sessions_assistant', {
      table: 'sessions',
      columns: ['tenant_id', 'assistant_id', 'last_active'],
    })
    await createIndex('sessions_active', { table: 'sessions', columns: ['last_active'] })
    await createTable('messages', (table) =>
      table
        .addColumn('message_id', types.id, (column) => column.primaryKey())
        .addColumn('session_id', types.id, (column) => column.notNull())
        .addColumn('seq', types.integer, (column) => column.notNull())
        .addColumn('role', types.id, (column) => column.notNull())
        .addColumn('content', types.text, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addForeignKeyConstraint(
          'messages_session',
          ['session_id'],
          'sessions',
          ['session_id'],
          (key) => key.onDelete('cascade'),
        ),
    )
    await createIndex('messages_order', {
      table: 'messages',
      columns: ['session_id', 'seq'],
      unique: true,
    })
    await createTable('events', (table) =>
      table
        .addColumn('session_id', types.id, (column) => column.notNull())
        .addColumn('seq', types.integer, (column) => column.notNull())
        .addColumn('kind', types.id, (column) => column.notNull())
        .addColumn('json', types.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('events_pk', ['session_id', 'seq'])
        .addForeignKeyConstraint(
          'events_session',
          ['session_id'],
          'sessions',
          ['session_id'],
          (key) => key.onDelete('cascade'),
        ),
    )
  },
}
