import type { Migration } from '../migrate.ts'

/** Browsers that are signed in, agents, model providers and runs; titles of sessions. */
export const platform: Migration = {
  name: '0003-platform',
  async up({ types, createTable, createIndex, addColumn, addRow }) {
    await addColumn('api_keys', 'act_as', (table) =>
      table.addColumn('act_as', types.integer, (column) => column.notNull().defaultTo(0)),
    )
    await createIndex('api_keys_of_user', {
      table: 'api_keys',
      columns: ['tenant_id', 'user_id', 'created_at'],
    })
    await addColumn('sessions', 'title', (table) => table.addColumn('title', types.text))
    await addRow('settings', { name: 'sessions.lock', value: '' })
    await createTable('browser_sessions', (table) =>
      table
        .addColumn('token_mac', types.id, (column) => column.primaryKey())
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('user_id', types.id, (column) => column.notNull())
        .addColumn('role', types.id, (column) => column.notNull())
        .addColumn('key_id', types.id)
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('last_used_at', types.integer, (column) => column.notNull())
        .addColumn('expires_at', types.integer, (column) => column.notNull()),
    )
    await createIndex('browser_sessions_user', {
      table: 'browser_sessions',
      columns: ['tenant_id', 'user_id'],
    })
    await createIndex('browser_sessions_expiry', {
      table: 'browser_sessions',
      columns: ['expires_at'],
    })
    await createTable('agents', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('assistant_id', types.id, (column) => column.notNull())
        .addColumn('name', types.id, (column) => column.notNull())
        .addColumn('description', types.text, (column) => column.notNull())
        .addColumn('model', types.text)
        .addColumn('system_prompt', types.text)
        .addColumn('enable_memory', types.integer, (column) => column.notNull())
        .addColumn('enable_skills', types.integer, (column) => column.notNull())
        .addColumn('enable_shell', types.integer, (column) => column.notNull())
        .addColumn('auto_approve', types.integer, (column) => column.notNull())
        .addColumn('sandbox_type', types.id)
        .addColumn('tool_mode', types.id, (column) => column.notNull())
        .addColumn('on_reject', types.id, (column) => column.notNull())
        .addColumn('max_turns', types.integer, (column) => column.notNull())
        .addColumn('enabled', types.integer, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('updated_at', types.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('agents_pk', ['tenant_id', 'assistant_id']),
    )
    await createTable('model_providers', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('provider_id', types.id, (column) => column.notNull())
        .addColumn('name', types.id, (column) => column.notNull())
        .addColumn('kind', types.id, (column) => column.notNull())
        .addColumn('base_url', types.text)
        .addColumn('models', types.text, (column) => column.notNull())
        .addColumn('enabled', types.integer, (column) => column.notNull())
        .addColumn('api_key', types.text)
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('updated_at', types.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('model_providers_pk', ['tenant_id', 'provider_id']),
    )
    await createTable('runs', (table) =>
      table
        .addColumn('run_id', types.id, (column) => column.primaryKey())
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('user_id', types.id, (column) => column.notNull())
        .addColumn('session_id', types.id, (column) => column.notNull())
        .addColumn('assistant_id', types.id, (column) => column.notNull())
        .addColumn('status', types.id, (column) => column.notNull())
        .addColumn('role', types.id, (column) => column.notNull())
        .addColumn('api_key', types.id)
        .addColumn('owner', types.id, (column) => column.notNull())
        .addColumn('started_at', types.integer, (column) => column.notNull())
        .addColumn('ended_at', types.integer)
        .addColumn('error_code', types.id)
        .addColumn('model', types.text)
        .addColumn('prompt_tokens', types.integer, (column) => column.notNull())
        .addColumn('completion_tokens', types.integer, (column) => column.notNull())
        .addColumn('cached_tokens', types.integer, (column) => column.notNull())
        .addColumn('cost_micros', types.integer, (column) => column.notNull()),
    )
    await createIndex('runs_end', { table: 'runs', columns: ['ended_at', 'started_at'] })
    await createIndex('runs_session', { table: 'runs', columns: ['session_id', 'started_at'] })
    await createIndex('runs_tenant', { table: 'runs', columns: ['tenant_id', 'started_at'] })
    await createIndex('runs_user', {
      table: 'runs',
      columns: ['tenant_id', 'user_id', 'started_at'],
    })
  },
}
