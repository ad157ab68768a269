import type { Database } from './tables.ts'

export interface TenantTable {
  table: keyof Database
  /** Its primary key, by which it is read page by page. */
  key: readonly string[]
  /** Where its rows say whose they are by a row of another table that has the same column. */
  through?: { table: keyof Database; column: string }
  /** Hashes of keys and tokens; what is sealed is known elsewhere. */
  hashes?: readonly string[]
}

const ofSession = { table: 'sessions', column: 'session_id' } as const
const ofHistory = { table: 'checkpoint_histories', column: 'history_id' } as const

/**
 * Every table that holds rows of tenants, those that need others before these: a new one is to be
 * entered here.
 */
export const tenantTables: readonly TenantTable[] = [
  { table: 'messages', key: ['message_id'], through: ofSession },
  { table: 'events', key: ['session_id', 'seq'], through: ofSession },
  { table: 'sessions', key: ['session_id'] },
  {
    ...{ table: 'checkpoint_writes', through: ofHistory },
    key: ['history_id', 'checkpoint_id', 'task_id', 'idx'],
  },
  { table: 'checkpoint_values', key: ['history_id', 'channel', 'version'], through: ofHistory },
  { table: 'checkpoint_parts', key: ['history_id', 'hash'], through: ofHistory },
  { table: 'checkpoints', key: ['history_id', 'checkpoint_id'], through: ofHistory },
  { table: 'checkpoint_histories', key: ['history_id'] },
  { table: 'runs', key: ['run_id'] },
  { table: 'turn_feedback', key: ['tenant_id', 'session_id', 'seq'] },
  { table: 'evaluation_trials', key: ['tenant_id', 'run_id', 'seq'] },
  { table: 'evaluation_runs', key: ['tenant_id', 'run_id'] },
  { table: 'evaluation_datasets', key: ['tenant_id', 'dataset_id'] },
  { table: 'data_queries', key: ['tenant_id', 'query_id'] },
  { table: 'data_deleted_queries', key: ['tenant_id', 'query_id'] },
  { table: 'data_scopes', key: ['scope_id', 'tenant_id'] },
  { table: 'data_questions', key: ['tenant_id', 'question_id'] },
  { table: 'data_definitions', key: ['tenant_id', 'definition_id'] },
  { table: 'data_sources', key: ['tenant_id', 'source_id'] },
  { table: 'approvals', key: ['approval_id'] },
  { table: 'mcp_results', key: ['result_id', 'page'] },
  { table: 'mcp_tool_call_log', key: ['tenant_id', 'writer', 'seq'] },
  { table: 'mcp_audit_anchors', key: ['tenant_id', 'writer', 'seq'] },
  { table: 'mcp_grants', key: ['grant_id'], hashes: ['refresh_hash', 'previous_hash'] },
  {
    ...{ table: 'mcp_tool_groups', key: ['group_id'] },
    hashes: [
      ...['hashed_api_key', 'key_mac', 'pepper_kid'],
      ...['previous_hashed_api_key', 'previous_key_mac', 'previous_pepper_kid'],
    ],
  },
  { table: 'mcp_allow_lists', key: ['tenant_id', 'subject_kind', 'subject_id'] },
  { table: 'mcp_rules', key: ['tenant_id', 'rule_id'] },
  { table: 'mcp_limits', key: ['tenant_id', 'limit_id'] },
  { table: 'mcp_tool_versions', key: ['tenant_id', 'server_id', 'name', 'version'] },
  { table: 'mcp_tools', key: ['tenant_id', 'server_id', 'name'] },
  { table: 'mcp_sign_ins', key: ['tenant_id', 'server_id', 'user_id', 'record_id'] },
  { table: 'mcp_credentials', key: ['tenant_id', 'server_id', 'user_id'] },
  { table: 'mcp_server_editions', key: ['tenant_id', 'server_id'] },
  { table: 'mcp_servers', key: ['tenant_id', 'server_id'] },
  { table: 'hub_sessions', key: ['tenant_id', 'session_id'] },
  { table: 'hub_changes', key: ['change_id'] },
  { table: 'agents', key: ['tenant_id', 'assistant_id'] },
  { table: 'model_providers', key: ['tenant_id', 'provider_id'] },
  { table: 'browser_sessions', key: ['token_mac'], hashes: ['token_mac'] },
  { table: 'api_keys', key: ['key_id'], hashes: ['hashed_api_key', 'key_mac', 'pepper_kid'] },
  { table: 'users', key: ['tenant_id', 'user_id'] },
  { table: 'tenants', key: ['tenant_id'] },
  { table: 'hub_revisions', key: ['tenant_id', 'topic'] },
]
