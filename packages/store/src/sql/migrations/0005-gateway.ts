import type { Migration } from '../migrate.ts'

/** Tool groups with their keys, programs that connect to them, and what those were allowed. */
export const gateway: Migration = {
  name: '0005-gateway',
  async up({ types, createTable, createIndex, addRow }) {
    await createTable('mcp_tool_groups', (table) =>
      table
        .addColumn('group_id', types.id, (column) => column.primaryKey())
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('name', types.id, (column) => column.notNull())
        .addColumn('description', types.text, (column) => column.notNull())
        .addColumn('enabled', types.integer, (column) => column.notNull())
        .addColumn('open_to_users', types.integer, (column) => column.notNull())
        .addColumn('shown_once', types.integer, (column) => column.notNull())
        .addColumn('api_key', types.text)
        .addColumn('hashed_api_key', types.id)
        .addColumn('key_mac', types.id)
        .addColumn('pepper_kid', types.id)
        .addColumn('key_created_at', types.integer)
        .addColumn('key_expires_at', types.integer)
        .addColumn('key_revoked_at', types.integer)
        .addColumn('previous_hashed_api_key', types.id)
        .addColumn('previous_key_mac', types.id)
        .addColumn('previous_pepper_kid', types.id)
        .addColumn('previous_expires_at', types.integer)
        .addColumn('key_number', types.integer, (column) => column.notNull())
        .addColumn('pinned_names', types.text, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('created_by', types.id)
        .addColumn('updated_at', types.integer, (column) => column.notNull()),
    )
    await createIndex('mcp_tool_groups_key', {
      table: 'mcp_tool_groups',
      columns: ['hashed_api_key'],
      unique: true,
    })
    await createIndex('mcp_tool_groups_tenant', {
      table: 'mcp_tool_groups',
      columns: ['tenant_id'],
    })
    await addRow('settings', { name: 'mcp_oauth_clients.lock', value: '' })
    await createTable('mcp_oauth_clients', (table) =>
      table
        .addColumn('client_id', types.id, (column) => column.primaryKey())
        .addColumn('client_name', types.text, (column) => column.notNull())
        .addColumn('redirect_uris', types.text, (column) => column.notNull())
        .addColumn('client_uri', types.text)
        .addColumn('logo_uri', types.text)
        .addColumn('token_endpoint_auth_method', types.id, (column) => column.notNull())
        .addColumn('grant_types', types.text, (column) => column.notNull())
        .addColumn('scope', types.text)
        .addColumn('secret_hash', types.id)
        .addColumn('kind', types.id, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('last_used_at', types.integer),
    )
    await createIndex('mcp_oauth_clients_kind', {
      table: 'mcp_oauth_clients',
      columns: ['kind', 'created_at'],
    })
    await createTable('mcp_grants', (table) =>
      table
        .addColumn('grant_id', types.id, (column) => column.primaryKey())
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('group_id', types.id, (column) => column.notNull())
        .addColumn('group_made_at', types.integer, (column) => column.notNull())
        .addColumn('user_id', types.id)
        .addColumn('key_id', types.id)
        .addColumn('user_key_id', types.id)
        .addColumn('client_id', types.id, (column) => column.notNull())
        .addColumn('client_name', types.text, (column) => column.notNull())
        .addColumn('resource', types.text, (column) => column.notNull())
        .addColumn('scope', types.text, (column) => column.notNull())
        .addColumn('profile', types.id, (column) => column.notNull())
        .addColumn('refresh_hash', types.id, (column) => column.notNull())
        .addColumn('previous_hash', types.id)
        .addColumn('rotated_at', types.integer)
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('last_used_at', types.integer, (column) => column.notNull())
        .addColumn('expires_at', types.integer, (column) => column.notNull())
        .addColumn('revoked_at', types.integer),
    )
    await createIndex('mcp_grants_group', {
      table: 'mcp_grants',
      columns: ['tenant_id', 'group_id', 'created_at'],
    })
    await createIndex('mcp_grants_user', {
      table: 'mcp_grants',
      columns: ['tenant_id', 'user_id'],
    })
    await createIndex('mcp_grants_client', { table: 'mcp_grants', columns: ['client_id'] })
    await createIndex('mcp_grants_expiry', { table: 'mcp_grants', columns: ['expires_at'] })
    await createIndex('mcp_grants_revoked', { table: 'mcp_grants', columns: ['revoked_at'] })
  },
}
