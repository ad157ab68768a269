import { AppError } from '@dataagent/schema'
import type { Subject } from '../principal.ts'
import type { AllowList, Limit, PolicyRoom, PolicyRows, Rule } from './contract.ts'
import { toSubjectKey } from './subject-index.ts'

type Counted = { tenant_id: string; subject: Subject; tier?: string }
type Put = [row: Counted, room: PolicyRoom | undefined]

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
  function put<T extends Counted>(map: Map<string, T>, key: string, [row, room]: Put) {
    const { tenant_id } = row
    if (!map.has(`${tenant_id} ${key}`)) assertRoom([...map.values()], row, room)
    const taken = next(tenant_id)
    map.set(`${tenant_id} ${key}`, { ...row, revision: taken } as unknown as T)
    return taken
  }
  const remove = (map: Map<string, unknown>, tenant_id: string, key: string) =>
    map.delete(`${tenant_id} ${key}`) ? next(tenant_id) : undefined

  function ofTenant(tenant_id: string | undefined, after = 0) {
    const own = <T extends { tenant_id: string; revision: number }>(all: Iterable<T>) =>
      [...all].filter(
        (row) => (tenant_id ?? row.tenant_id) === row.tenant_id && row.revision > after,
      )
    const rows = { allowLists: own(lists.values()), rules: own(rules.values()) }
    return { ...rows, limits: own(limits.values()) }
  }

  return {
    async load(tenant_id) {
      const stands = [...revisions].map(([id, stand]) => ({ tenant_id: id, revision: stand }))
      const own = stands.filter((stand) => (tenant_id ?? stand.tenant_id) === stand.tenant_id)
      return { revisions: own, ...ofTenant(tenant_id) }
    },
    async loadSince(tenant_id, after) {
      const all = ofTenant(tenant_id)
      const keys = {
        allowLists: all.allowLists.map(({ subject }) => subject),
        rules: all.rules.map(({ rule_id }) => rule_id),
        limits: all.limits.map(({ limit_id }) => limit_id),
      }
      return { revision: revisions.get(tenant_id) ?? 0, ...ofTenant(tenant_id, after), keys }
    },
    putAllowList: async (list, _, room) => put(lists, toSubjectKey(list.subject), [list, room]),
    putRule: async (rule, _, room) => put(rules, rule.rule_id, [rule, room]),
    putLimit: async (limit, _, room) => put(limits, limit.limit_id, [limit, room]),
    deleteAllowList: async (tenant_id, subject) => remove(lists, tenant_id, toSubjectKey(subject)),
    deleteRule: async (tenant_id, rule_id) => remove(rules, tenant_id, rule_id),
    deleteLimit: async (tenant_id, limit_id) => remove(limits, tenant_id, limit_id),
  }
}

function assertRoom(all: readonly Counted[], row: Counted, room: PolicyRoom = {}): void {
  const { perTenant = Number.POSITIVE_INFINITY, perSubject = Number.POSITIVE_INFINITY } = room
  const alike = all.filter((one) => one.tenant_id === row.tenant_id && one.tier === row.tier)
  const own = alike.filter((one) => toSubjectKey(one.subject) === toSubjectKey(row.subject))
  if (alike.length >= perTenant || own.length >= perSubject) {
    throw new AppError('quota_exceeded', 'there is no room')
  }
}
