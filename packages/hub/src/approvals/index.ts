export { toDecided } from './approval-view.ts'
export { type ApprovalsOptions, createApprovals } from './approvals.ts'
export type {
  ApprovalAsk,
  ApprovalQuery,
  ApprovalRef,
  ApprovalRow,
  ApprovalRows,
  Approvals,
  AssignFields,
  DecidedFields,
  Reach,
  RoundFields,
  UseFields,
} from './contract.ts'
export { readShown } from './shown-action.ts'
