import type { AllowList, Limit, PolicyRows, Rule } from './contract.ts'
import { toSubjectKey } from './subject-index.ts'

/** Policy rows in memory: what several policies of a test share. */
export function createTestPolicyRows(): PolicyRows {
  const lists = new Map<string, AllowList>()
  const rules = new Map<string, Rule>()
  const limits = new Map<string, Limit>()
  const revisions = new Map<string, number>()
  let revision = 0

  function next(tenant_id: string): number {
    revision += 1
    revisions.set(tenant_id, revision)
    return revision
  }
  function put<T extends { tenant_id: string }>(map: Map<string, T>, key: string, row: object) {
    const { tenant_id } = row as T
    const taken = next(tenant_id)
    map.set(`${tenant_id} ${key}`, { ...row, revision: taken } as unknown as T)
    return taken
  }
  const remove = (map: Map<string, unknown>, tenant_id: string, key: string) =>
    map.delete(`${tenant_id} ${key}`) ? next(tenant_id) : undefined

  return {
    async load(tenant_id) {
      const own = <T extends { tenant_id: string }>(all: Iterable<T>) =>
        [...all].filter((row) => tenant_id === undefined || row.tenant_id === tenant_id)
      const stands = [...revisions].map(([id, stand]) => ({ tenant_id: id, revision: stand }))
      return {
        revisions: own(stands),
        allowLists: own(lists.values()),
        rules: own(rules.values()),
        limits: own(limits.values()),
      }
    },
    putAllowList: async (list) => put(lists, toSubjectKey(list.subject), list),
    putRule: async (rule) => put(rules, rule.rule_id, rule),
    putLimit: async (limit) => put(limits, limit.limit_id, limit),
    deleteAllowList: async (tenant_id, subject) => remove(lists, tenant_id, toSubjectKey(subject)),
    deleteRule: async (tenant_id, rule_id) => remove(rules, tenant_id, rule_id),
    deleteLimit: async (tenant_id, limit_id) => remove(limits, tenant_id, limit_id),
  }
}
