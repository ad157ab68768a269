export { createApprovalQueue, type PendingApproval } from './approval-queue.ts'
export { createAutoQuestion, switchMode } from './auto-approve.ts'
export type {
  Acknowledgement,
  ApprovalRequest,
  CloseReason,
  TerminalDecision,
} from './contract.ts'
export { createQuietGate, quietMs } from './quiet-gate.ts'
