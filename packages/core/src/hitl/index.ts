export { type Asking, createAsking } from './asking.ts'
export type { ApprovalPolicy, HITLHandler, RejectRule } from './contract.ts'
