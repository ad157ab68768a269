export type {
  RevisionRow,
  RevisionRows,
  Revisions,
  Topic,
} from './contract.ts'
export { createRevisions } from './revisions.ts'
