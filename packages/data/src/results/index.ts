export { type KeptResults, openKeptResults } from './kept-results.ts'
export { ignoreMissing } from './room.ts'
