import type { DataStore } from '@dataagent/schema'
import { createDefinitionRows } from './definition-rows.ts'
import { createQueryCopies } from './query-copies.ts'
import { createQueryRemovals } from './query-removals.ts'
import { createQueryRows } from './query-rows.ts'
import { createQuestionRows } from './question-rows.ts'
import { createSourceRows } from './source-rows.ts'
import type { DataRowsOptions } from './tables.ts'

/** The tables of the data room, as its port wants them. */
export function createDataStore(options: DataRowsOptions): DataStore {
  return {
    sources: createSourceRows(options),
    definitions: createDefinitionRows(options),
    questions: createQuestionRows(options),
    queries: {
      ...createQueryRows(options),
      ...createQueryCopies(options),
      ...createQueryRemovals(options),
    },
  }
}
