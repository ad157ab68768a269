/** How much of a policy one tenant may keep: all of it is in the memory of every process. */
export interface PolicyQuotas {
  allowLists: number
  /** Over all its lists. */
  entries: number
  /** Of the tenant itself; for the platform, of the tier `platform`. */
  rules: number
  /** Of all its users together, and of each. */
  userRules: number
  rulesPerUser: number
  /** Each call may count in all of them. */
  limits: number
}

export const defaultQuotas: PolicyQuotas = {
  allowLists: 2_000,
  entries: 100_000,
  rules: 1_000,
  userRules: 20_000,
  rulesPerUser: 1_000,
  limits: 100,
}
