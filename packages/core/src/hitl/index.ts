export { type Asking, type CallAsking, createAsking } from './asking.ts'
export type { ApprovalPolicy, HITLHandler, RejectRule } from './contract.ts'
