import type { Migration } from '../migrate.ts'

/** What agents tell of tools, and how models call them. */
export const modelsAndTools: Migration = {
  name: '0006-models-and-tools',
  async up({ types, addColumn }) {
    await addColumn('agents', 'tool_budget_tokens', (table) =>
      table.addColumn('tool_budget_tokens', types.integer),
    )
    await addColumn('model_providers', 'calls_tools', (table) =>
      table.addColumn('calls_tools', types.integer, (column) => column.notNull().defaultTo(1)),
    )
  },
}
