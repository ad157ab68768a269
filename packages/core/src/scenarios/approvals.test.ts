import { describeApprovals } from './describe-approvals.ts'

await describeApprovals()
