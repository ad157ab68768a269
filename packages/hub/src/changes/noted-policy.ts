import { AsyncLocalStorage } from 'node:async_hooks'
import type { Policy, PolicyRows } from '../policy/index.ts'
import type { Principal, Subject } from '../principal.ts'
import type { Happened, Note, NotedPolicyRows } from './contract.ts'

export interface NotedPolicyOptions {
  rows: NotedPolicyRows
  note: Note
  create(rows: PolicyRows): Policy
}

/**
 * A policy each change of which is noted under the name of the one who makes it. The rows are not
 * told who that is: it goes along with the call.
 */
export function createNotedPolicy({ rows, note, create }: NotedPolicyOptions): Policy {
  const author = new AsyncLocalStorage<Principal>()
  const policy: Policy = create(createNotingRows())

  function toNote(happened: Happened) {
    const by = author.getStore()
    return by && note(by, happened)
  }

  const toAdded = (tenant_id: string, kind: 'rule' | 'limit', id: string, after: unknown) =>
    toNote({ tenant_id, kind, target: id, action: 'added', after })
  const toRemoved = (tenant_id: string, kind: Happened['kind'], id: string, before: unknown) =>
    toNote({ tenant_id, kind, target: id, action: 'removed', before })

  function findRule(id: string) {
    const by = author.getStore()
    return by && policy.rules(by).find(({ rule_id }) => rule_id === id)
  }

  function findLimit(id: string) {
    const by = author.getStore()
    return by && policy.limits(by).find(({ limit_id }) => limit_id === id)
  }

  function createNotingRows(): PolicyRows {
    const entriesOf = (tenant_id: string, subject: Subject) =>
      policy.allowList(tenant_id, subject)?.entries
    return {
      load: rows.load,
      putAllowList(list) {
        const { tenant_id, subject, entries: after } = list
        const before = entriesOf(tenant_id, subject)
        const action = before ? 'changed' : 'added'
        const place = { tenant_id, kind: 'allow_list', target: toTarget(subject) } as const
        return rows.putAllowList(list, toNote({ ...place, action, before, after }))
      },
      putRule: (rule) => rows.putRule(rule, toAdded(rule.tenant_id, 'rule', rule.rule_id, rule)),
      putLimit: (limit) =>
        rows.putLimit(limit, toAdded(limit.tenant_id, 'limit', limit.limit_id, limit)),
      deleteAllowList(tenant_id, subject) {
        const before = entriesOf(tenant_id, subject)
        const gone = toRemoved(tenant_id, 'allow_list', toTarget(subject), before)
        return rows.deleteAllowList(tenant_id, subject, gone)
      },
      deleteRule: (tenant_id, id) =>
        rows.deleteRule(tenant_id, id, toRemoved(tenant_id, 'rule', id, findRule(id))),
      deleteLimit: (tenant_id, id) =>
        rows.deleteLimit(tenant_id, id, toRemoved(tenant_id, 'limit', id, findLimit(id))),
    }
  }

  return {
    ...policy,
    get revision() {
      return policy.revision
    },
    setAllowList: (by, ...rest) => author.run(by, () => policy.setAllowList(by, ...rest)),
    clearAllowList: (by, ...rest) => author.run(by, () => policy.clearAllowList(by, ...rest)),
    addRule: (by, ...rest) => author.run(by, () => policy.addRule(by, ...rest)),
    removeRule: (by, ...rest) => author.run(by, () => policy.removeRule(by, ...rest)),
    addLimit: (by, ...rest) => author.run(by, () => policy.addLimit(by, ...rest)),
    removeLimit: (by, ...rest) => author.run(by, () => policy.removeLimit(by, ...rest)),
  }
}

function toTarget({ kind, id }: Subject): string {
  return `${kind}:${id}`
}
