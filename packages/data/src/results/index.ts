export { type KeptResults, openKeptResults } from './kept-results.ts'
