export type { Retention, RetentionRows } from './contract.ts'
export { createRetention } from './retention.ts'
