export { toApprovalPolicy } from './to-approval-policy.ts'
export { createWebHITLHandler, type WebHITLHandler } from './web-hitl-handler.ts'
