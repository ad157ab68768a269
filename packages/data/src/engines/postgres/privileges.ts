import type { PostgresLink } from './connect.ts'

/** Roles of the server that may write in one way or another. */
const writingRoles = [
  ...['pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program', 'pg_maintain'],
  ...['pg_signal_backend', 'pg_database_owner', 'pg_create_subscription', 'pg_checkpoint'],
]

/** Whether nothing that the role may do writes. */
export async function isReadOnly({ ask }: PostgresLink): Promise<boolean> {
  const { rows } = await ask(
    `SELECT
      (SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication
         FROM pg_catalog.pg_roles WHERE rolname = current_user)
      OR pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')
      OR EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE r.rolname = ANY ($1::text[])
           AND pg_catalog.pg_has_role(r.oid, 'MEMBER'))
      OR EXISTS (SELECT FROM pg_catalog.pg_namespace n WHERE n.nspname NOT LIKE 'pg\\_%'
           AND pg_catalog.has_schema_privilege(n.oid, 'CREATE'))
      OR EXISTS (SELECT FROM pg_catalog.pg_class c
           JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' AND
             CASE WHEN c.relkind = 'S' THEN pg_catalog.has_sequence_privilege(c.oid, 'USAGE, UPDATE')
               WHEN c.relkind IN ('r', 'v', 'm', 'f', 'p') THEN
                 pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
                 OR pg_catalog.has_any_column_privilege(c.oid, 'INSERT, UPDATE')
               ELSE false END)`,
    [writingRoles],
  )
  return rows[0]?.[0] === 'f'
}
