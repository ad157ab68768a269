export type { TenantBook } from './contract.ts'
export { hasFeature } from './has-feature.ts'
export { createTenantBook } from './tenant-book.ts'
