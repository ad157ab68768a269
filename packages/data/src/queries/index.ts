export type { AskContext, NewQuery, Queries } from './contract.ts'
export { createQueries, type QueriesOptions, sqlMax } from './queries.ts'
