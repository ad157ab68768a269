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
  NotedPolicyRows,
} from './contract.ts'
export { createNote } from './create-note.ts'
export { createNotedPolicy } from './noted-policy.ts'
