import type { Migration } from '../migrate.ts'

/** Servers, tools, policy, approvals and the call log of the governed tool layer. */
export const hub: Migration = {
  name: '0002-hub',
  async up({ types, createTable, createIndex }) {
    await createTable('mcp_servers', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('server_id', types.id, (column) => column.notNull())
        .addColumn('owner', types.id, (column) => column.notNull())
        .addColumn('name', types.id, (column) => column.notNull())
        .addColumn('config', types.text, (column) => column.notNull())
        .addColumn('secrets', types.text)
        .addColumn('revision', types.integer, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('updated_at', types.integer, (column) => column.notNull())
        .addColumn('created_by', types.id)
        .addPrimaryKeyConstraint('mcp_servers_pk', ['tenant_id', 'server_id']),
    )
    await createIndex('mcp_servers_name', {
      table: 'mcp_servers',
      columns: ['tenant_id', 'owner', 'name'],
      unique: true,
    })
    await createTable('mcp_credentials', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('server_id', types.id, (column) => column.notNull())
        .addColumn('user_id', types.id, (column) => column.notNull())
        .addColumn('secrets', types.text, (column) => column.notNull())
        .addColumn('updated_at', types.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('mcp_credentials_pk', ['tenant_id', 'server_id', 'user_id']),
    )
    await createTable('mcp_sign_ins', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('server_id', types.id, (column) => column.notNull())
        .addColumn('user_id', types.id, (column) => column.notNull())
        .addColumn('record_id', types.id, (column) => column.notNull())
        .addColumn('value', types.text, (column) => column.notNull())
        .addColumn('updated_at', types.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('mcp_sign_ins_pk', [
          'tenant_id',
          'server_id',
          'user_id',
          'record_id',
        ]),
    )
    await createTable('mcp_tools', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('server_id', types.id, (column) => column.notNull())
        .addColumn('name', types.id, (column) => column.notNull())
        .addColumn('state', types.id, (column) => column.notNull())
        .addColumn('version', types.integer, (column) => column.notNull())
        .addColumn('hash', types.id, (column) => column.notNull())
        .addColumn('definition', types.text, (column) => column.notNull())
        .addColumn('findings', types.text, (column) => column.notNull())
        .addColumn('pending_version', types.integer)
        .addColumn('position', types.integer, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('seen_at', types.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('mcp_tools_pk', ['tenant_id', 'server_id', 'name']),
    )
    await createTable('mcp_tool_versions', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('server_id', types.id, (column) => column.notNull())
        .addColumn('name', types.id, (column) => column.notNull())
        .addColumn('version', types.integer, (column) => column.notNull())
        .addColumn('hash', types.id, (column) => column.notNull())
        .addColumn('definition', types.text, (column) => column.notNull())
        .addColumn('findings', types.text, (column) => column.notNull())
        .addColumn('seen_at', types.integer, (column) => column.notNull())
        .addColumn('approved_at', types.integer)
        .addColumn('approved_by', types.id)
        .addPrimaryKeyConstraint('mcp_tool_versions_pk', [
          'tenant_id',
          'server_id',
          'name',
          'version',
        ]),
    )
    await createTable('mcp_allow_lists', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('subject_kind', types.id, (column) => column.notNull())
        .addColumn('subject_id', types.id, (column) => column.notNull())
        .addColumn('entries', types.text, (column) => column.notNull())
        .addColumn('revision', types.integer, (column) => column.notNull())
        .addColumn('updated_at', types.integer, (column) => column.notNull())
        .addColumn('updated_by', types.id)
        .addPrimaryKeyConstraint('mcp_allow_lists_pk', ['tenant_id', 'subject_kind', 'subject_id']),
    )
    await createTable('mcp_rules', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('rule_id', types.id, (column) => column.notNull())
        .addColumn('tier', types.id, (column) => column.notNull())
        .addColumn('subject_kind', types.id, (column) => column.notNull())
        .addColumn('subject_id', types.id, (column) => column.notNull())
        .addColumn('server_id', types.id, (column) => column.notNull())
        .addColumn('tool', types.id, (column) => column.notNull())
        .addColumn('effect', types.id, (column) => column.notNull())
        .addColumn('trusts', types.text, (column) => column.notNull())
        .addColumn('session_id', types.id)
        .addColumn('expires_at', types.integer)
        .addColumn('note', types.text, (column) => column.notNull())
        .addColumn('revision', types.integer, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('created_by', types.id)
        .addPrimaryKeyConstraint('mcp_rules_pk', ['tenant_id', 'rule_id']),
    )
    await createTable('mcp_limits', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('limit_id', types.id, (column) => column.notNull())
        .addColumn('subject_kind', types.id, (column) => column.notNull())
        .addColumn('subject_id', types.id, (column) => column.notNull())
        .addColumn('server_id', types.id, (column) => column.notNull())
        .addColumn('tool', types.id, (column) => column.notNull())
        .addColumn('max_calls', types.integer, (column) => column.notNull())
        .addColumn('window_ms', types.integer, (column) => column.notNull())
        .addColumn('revision', types.integer, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('created_by', types.id)
        .addPrimaryKeyConstraint('mcp_limits_pk', ['tenant_id', 'limit_id']),
    )
    await createTable('hub_revisions', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('topic', types.id, (column) => column.notNull())
        .addColumn('revision', types.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('hub_revisions_pk', ['tenant_id', 'topic']),
    )
    await createIndex('hub_revisions_order', { table: 'hub_revisions', columns: ['revision'] })
    await createTable('hub_changes', (table) =>
      table
        .addColumn('change_id', types.id, (column) => column.primaryKey())
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('changed_at', types.integer, (column) => column.notNull())
        .addColumn('by_tenant', types.id, (column) => column.notNull())
        .addColumn('user_id', types.id)
        .addColumn('role', types.id, (column) => column.notNull())
        .addColumn('api_key', types.id)
        .addColumn('kind', types.id, (column) => column.notNull())
        .addColumn('target', types.text, (column) => column.notNull())
        .addColumn('action', types.id, (column) => column.notNull())
        .addColumn('before', types.text)
        .addColumn('after', types.text)
        .addColumn('revision', types.integer),
    )
    await createIndex('hub_changes_time', {
      table: 'hub_changes',
      columns: ['tenant_id', 'changed_at'],
    })
    await createTable('approvals', (table) =>
      table
        .addColumn('approval_id', types.id, (column) => column.primaryKey())
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('status', types.id, (column) => column.notNull())
        .addColumn('caller', types.id, (column) => column.notNull())
        .addColumn('user_id', types.id)
        .addColumn('agent_id', types.id)
        .addColumn('session_id', types.id)
        .addColumn('run_id', types.id)
        .addColumn('assignee', types.id)
        .addColumn('tool_call_id', types.id, (column) => column.notNull())
        .addColumn('server_id', types.id, (column) => column.notNull())
        .addColumn('tool_name', types.id, (column) => column.notNull())
        .addColumn('definition_hash', types.id, (column) => column.notNull())
        .addColumn('digest', types.id, (column) => column.notNull())
        .addColumn('action_request', types.text, (column) => column.notNull())
        .addColumn('reason', types.text, (column) => column.notNull())
        .addColumn('decision', types.id)
        .addColumn('message', types.text)
        .addColumn('via', types.id)
        .addColumn('decided_by', types.id)
        .addColumn('decided_at', types.integer)
        .addColumn('decision_details', types.text)
        .addColumn('used_at', types.integer)
        .addColumn('asked', types.integer, (column) => column.notNull())
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('expires_at', types.integer, (column) => column.notNull()),
    )
    await createIndex('approvals_inbox', {
      table: 'approvals',
      columns: ['tenant_id', 'status', 'created_at'],
    })
    await createIndex('approvals_digest', {
      table: 'approvals',
      columns: ['tenant_id', 'caller', 'digest'],
    })
    await createIndex('approvals_expiry', {
      table: 'approvals',
      columns: ['status', 'expires_at'],
    })
    await createTable('mcp_tool_call_log', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('writer', types.id, (column) => column.notNull())
        .addColumn('seq', types.integer, (column) => column.notNull())
        .addColumn('call_id', types.id, (column) => column.notNull())
        .addColumn('trace_id', types.id, (column) => column.notNull())
        .addColumn('span_id', types.id, (column) => column.notNull())
        .addColumn('source', types.id, (column) => column.notNull())
        .addColumn('user_id', types.id)
        .addColumn('session_id', types.id)
        .addColumn('run_id', types.id)
        .addColumn('agent_id', types.id)
        .addColumn('api_key', types.id)
        .addColumn('group_id', types.id)
        .addColumn('server_id', types.id)
        .addColumn('tool_name', types.text, (column) => column.notNull())
        .addColumn('schema_version', types.integer)
        .addColumn('definition_hash', types.id)
        .addColumn('policy_revision', types.integer, (column) => column.notNull())
        .addColumn('decided_by', types.text)
        .addColumn('input_validation', types.id, (column) => column.notNull())
        .addColumn('output_validation', types.id, (column) => column.notNull())
        .addColumn('approval_id', types.id)
        .addColumn('attempts', types.integer, (column) => column.notNull())
        .addColumn('started_at', types.integer, (column) => column.notNull())
        .addColumn('ended_at', types.integer, (column) => column.notNull())
        .addColumn('duration_ms', types.integer, (column) => column.notNull())
        .addColumn('status', types.id, (column) => column.notNull())
        .addColumn('error', types.text)
        .addColumn('args_digest', types.id)
        .addColumn('args', types.text)
        .addColumn('result', types.text)
        .addColumn('prev_hash', types.id, (column) => column.notNull())
        .addColumn('hash', types.id, (column) => column.notNull())
        .addPrimaryKeyConstraint('mcp_tool_call_log_pk', ['tenant_id', 'writer', 'seq']),
    )
    await createIndex('mcp_tool_call_log_call', {
      table: 'mcp_tool_call_log',
      columns: ['call_id'],
    })
    await createIndex('mcp_tool_call_log_time', {
      table: 'mcp_tool_call_log',
      columns: ['tenant_id', 'started_at'],
    })
    await createIndex('mcp_tool_call_log_user', {
      table: 'mcp_tool_call_log',
      columns: ['tenant_id', 'user_id', 'started_at'],
    })
    await createIndex('mcp_tool_call_log_trace', {
      table: 'mcp_tool_call_log',
      columns: ['trace_id'],
    })
    await createTable('mcp_audit_anchors', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('writer', types.id, (column) => column.notNull())
        .addColumn('seq', types.integer, (column) => column.notNull())
        .addColumn('hash', types.id, (column) => column.notNull())
        .addColumn('mac', types.id, (column) => column.notNull())
        .addColumn('anchored_at', types.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('mcp_audit_anchors_pk', ['tenant_id', 'writer', 'seq']),
    )
    await createTable('mcp_results', (table) =>
      table
        .addColumn('result_id', types.id, (column) => column.notNull())
        .addColumn('page', types.integer, (column) => column.notNull())
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('caller', types.id, (column) => column.notNull())
        .addColumn('content', types.text, (column) => column.notNull())
        .addColumn('expires_at', types.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('mcp_results_pk', ['result_id', 'page']),
    )
    await createIndex('mcp_results_expiry', { table: 'mcp_results', columns: ['expires_at'] })
  },
}
