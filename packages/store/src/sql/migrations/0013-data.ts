import type { Migration } from '../migrate.ts'

/** Sources of data, what is said of them, and the queries that were run. */
export const data: Migration = {
  name: '0013-data',
  async up({ types, createTable, createIndex, addRow }) {
    // Whoever adds one of so many that a tenant may have holds this row meanwhile.
    await addRow('settings', { name: 'data.lock', value: '' })
    await createTable('data_sources', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('source_id', types.id, (column) => column.notNull())
        .addColumn('name', types.id, (column) => column.notNull())
        .addColumn('name_key', types.id, (column) => column.notNull())
        .addColumn('kind', types.id, (column) => column.notNull())
        .addColumn('description', types.text, (column) => column.notNull())
        .addColumn('scope', types.id, (column) => column.notNull())
        .addColumn('user_id', types.id)
        .addColumn('enabled', types.integer, (column) => column.notNull())
        .addColumn('location', types.text, (column) => column.notNull())
        .addColumn('notes', types.text, (column) => column.notNull())
        .addColumn('status', types.id, (column) => column.notNull())
        .addColumn('status_text', types.text)
        .addColumn('read_only', types.integer)
        .addColumn('checked_at', types.integer)
        .addColumn('created_at', types.integer, (column) => column.notNull())
        .addColumn('updated_at', types.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('data_sources_pk', ['tenant_id', 'source_id']),
    )
    await createIndex('data_sources_name', {
      table: 'data_sources',
      columns: ['tenant_id', 'name_key'],
      unique: true,
    })
    await createTable('data_definitions', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('definition_id', types.id, (column) => column.notNull())
        .addColumn('source_id', types.id)
        .addColumn('term', types.text, (column) => column.notNull())
        .addColumn('meaning', types.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('data_definitions_pk', ['tenant_id', 'definition_id']),
    )
    await createIndex('data_definitions_of_source', {
      table: 'data_definitions',
      columns: ['tenant_id', 'source_id'],
    })
    await createTable('data_questions', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('question_id', types.id, (column) => column.notNull())
        .addColumn('source_id', types.id, (column) => column.notNull())
        .addColumn('question', types.text, (column) => column.notNull())
        .addColumn('also', types.text, (column) => column.notNull())
        .addColumn('sql', types.text, (column) => column.notNull())
        .addColumn('verified', types.integer, (column) => column.notNull())
        .addColumn('owner_user_id', types.id)
        .addColumn('updated_at', types.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('data_questions_pk', ['tenant_id', 'question_id']),
    )
    await createIndex('data_questions_of_source', {
      table: 'data_questions',
      columns: ['tenant_id', 'source_id'],
    })
    await createIndex('data_questions_of_owner', {
      table: 'data_questions',
      columns: ['tenant_id', 'owner_user_id', 'updated_at'],
    })
    await createTable('data_scopes', (table) =>
      table
        .addColumn('scope_id', types.id, (column) => column.notNull())
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('last_number', types.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('data_scopes_pk', ['scope_id', 'tenant_id']),
    )
    await createTable('data_queries', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('query_id', types.id, (column) => column.notNull())
        .addColumn('scope_id', types.id, (column) => column.notNull())
        .addColumn('number', types.integer, (column) => column.notNull())
        .addColumn('user_id', types.id, (column) => column.notNull())
        .addColumn('source_id', types.id, (column) => column.notNull())
        .addColumn('source_name', types.text, (column) => column.notNull())
        .addColumn('sql', types.text, (column) => column.notNull())
        .addColumn('purpose', types.text)
        .addColumn('columns', types.text, (column) => column.notNull())
        .addColumn('rows', types.text, (column) => column.notNull())
        .addColumn('row_count', types.integer)
        .addColumn('kept_rows', types.integer, (column) => column.notNull())
        .addColumn('elapsed_ms', types.integer, (column) => column.notNull())
        .addColumn('as_of', types.integer, (column) => column.notNull())
        .addColumn('error', types.text)
        .addColumn('verified_question_id', types.id)
        .addPrimaryKeyConstraint('data_queries_pk', ['tenant_id', 'query_id']),
    )
    await createIndex('data_queries_number', {
      table: 'data_queries',
      columns: ['scope_id', 'tenant_id', 'number'],
      unique: true,
    })
    await createIndex('data_queries_of_tenant', {
      table: 'data_queries',
      columns: ['tenant_id', 'as_of'],
    })
    await createIndex('data_queries_of_user', {
      table: 'data_queries',
      columns: ['tenant_id', 'user_id', 'as_of'],
    })
    await createIndex('data_queries_of_source', {
      table: 'data_queries',
      columns: ['tenant_id', 'source_id', 'as_of'],
    })
    await createIndex('data_queries_age', { table: 'data_queries', columns: ['as_of'] })
    await createTable('data_deleted_queries', (table) =>
      table
        .addColumn('tenant_id', types.id, (column) => column.notNull())
        .addColumn('query_id', types.id, (column) => column.notNull())
        .addPrimaryKeyConstraint('data_deleted_queries_pk', ['tenant_id', 'query_id']),
    )
  },
}
