import type { DataStore } from '@dataagent/schema'
import { describe } from 'vitest'
import { testDefinitions } from './definitions.ts'
import { testQueries } from './queries.ts'
import { testQuestions } from './questions.ts'
import { testSources } from './sources.ts'

export { aDefinition, aQuery, aQuestion, aSource } from './rows.ts'

/** What every store of the data room keeps to. `open` gives the one that is tried, each time. */
export function describeDataStore(open: () => DataStore): void {
  describe('sources', () => testSources(open))
  describe('definitions', () => testDefinitions(open))
  describe('questions', () => testQuestions(open))
  describe('queries', () => testQueries(open))
}
