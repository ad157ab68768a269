export type {
  AllowEntry,
  AllowList,
  DefaultWhy,
  Effect,
  Explanation,
  JudgedContext,
  Limit,
  NewLimit,
  NewRule,
  Policy,
  PolicyRows,
  Reason,
  Resolved,
  Rule,
  StoredPolicy,
  TenantFeatures,
  Tier,
  Verdict,
} from './contract.ts'
export { createPolicy } from './policy.ts'
export { toReasonText } from './words.ts'
