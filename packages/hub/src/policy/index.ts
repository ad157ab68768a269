export { byArguments } from './by-arguments.ts'
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
  PolicyRoom,
  PolicyRows,
  PolicySince,
  Reason,
  Resolved,
  Rule,
  RuleState,
  Step,
  StoredPolicy,
  TenantFeatures,
  Tier,
  Verdict,
} from './contract.ts'
export { createPolicy } from './policy.ts'
export type { PolicyQuotas } from './quotas.ts'
export { toReasonText, toStepText } from './words.ts'
