import type { Dialect } from './dialects.ts'

/** Functions that do more than compute, or run a text as SQL; `$` ends a name, others go on. */
const postgres = beginnings([
  ...['pg_read_', 'pg_ls_', 'pg_stat_file', 'pg_file_', 'pg_execute', 'lo_', 'loread'],
  ...['lowrite', 'dblink', 'pg_advisory', 'pg_try_advisory', 'pg_terminate', 'pg_cancel'],
  ...['pg_reload', 'pg_rotate', 'pg_switch', 'pg_create_', 'pg_drop_', 'pg_logical_'],
  ...['pg_replication_', 'pg_copy_', 'pg_promote', 'pg_backup', 'pg_start_backup'],
  ...['pg_stop_backup', 'pg_import_', 'pg_export_', 'pg_notify', 'pg_stat_reset'],
  ...['pg_set_', 'pg_log_', 'pg_wal_replay', 'pg_restore_', 'pg_clear_', 'pg_truncate_'],
  ...['pg_sync_', 'pg_prewarm', 'pg_nextoid', 'pg_extension_config_dump'],
  ...['binary_upgrade_', 'brin_', 'gin_clean', 'set_config$', 'setval$', 'nextval$'],
  ...['query_to_xml', 'cursor_to_xml', 'ts_stat$', 'ts_rewrite$', 'crosstab', 'connectby'],
  ...['http$', 'http_', 'pg_stat_statements_reset', 'pg_stat_monitor_reset', 'pg_background_'],
  ...['invoke$', 'aws_', 'table_import_from_s3', 'query_export_to_s3', 'pg_show_all_file_settings'],
  ...['pg_hba_file_rules', 'pg_ident_file_mappings', 'heap_force_', 'pg_buffercache_evict'],
  ...['xpath_table', 'txid_current$', 'pg_current_xact_id$', 'postgres_fdw_', 'currtid'],
])

const mysql = beginnings([
  ...['load_file', 'get_lock', 'release_lock', 'release_all_locks', 'is_free_lock'],
  ...['is_used_lock', 'sys_', 'lib_mysqludf', 'nextval', 'setval', 'lastval', 'next_value'],
  ...['master_pos_wait', 'master_gtid_wait', 'source_pos_wait', 'wait_for_executed'],
  ...['wait_until_sql', 'keyring_', 'asynchronous_connection', 'group_replication_'],
  ...['service_get', 'service_release', 'version_tokens_', 'set_firewall', 'read_firewall'],
  ...['mysql_firewall', 'normalize_statement', 'audit_', 'mysqlx_', 'http_', 'do_ioctl'],
])

const sqlite = beginnings([
  ...['load_extension', 'readfile', 'writefile', 'edit', 'fts3_tokenizer', 'fsdir'],
  ...['lsdir', 'zipfile', 'sqlar_', 'eval', 'sqlite_dbpage', 'dbdata', 'generate_wal'],
])

/** DuckDB's own tree of the statement is looked at besides; see the engines. */
const duckdb = beginnings([
  ...['read_', 'parquet_', 'glob$', 'sniff_csv', 'query$', 'query_table$', 'nextval'],
  ...['currval', 'write_log', 'current_setting', 'duckdb_settings', 'duckdb_secrets'],
  ...['pg_settings', 'which_secret', 'from_substrait', 'json_execute'],
])

const refusedNames: Readonly<Record<Dialect, RegExp>> = { postgres, mysql, sqlite, duckdb }

export function isRefusedFunction(name: string, dialect: Dialect): boolean {
  return refusedNames[dialect].test(name.toLowerCase())
}

function beginnings(names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.join('|')})`)
}
