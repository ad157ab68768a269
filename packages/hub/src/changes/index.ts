export { createChangeQuery } from './change-query.ts'
export type {
  ChangeAction,
  ChangeKind,
  ChangeLogQuery,
  ChangeQuery,
  ChangeRow,
  ChangeRows,
  NewChange,
  Note,
} from './contract.ts'
export { createNote } from './create-note.ts'
