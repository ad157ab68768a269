import type { Note } from '../changes/index.ts'
import type { Principal, Subject } from '../principal.ts'
import type { AllowEntry, Limit, Rule } from './contract.ts'

type Entries = readonly AllowEntry[] | undefined

/** What is noted of each change of a policy. */
export function createPolicyNotes(note: Note) {
  const toRule = ({ tenant_id, rule_id }: Pick<Rule, 'tenant_id' | 'rule_id'>) =>
    ({ tenant_id, kind: 'rule', target: rule_id }) as const
  const toLimit = ({ tenant_id, limit_id }: Pick<Limit, 'tenant_id' | 'limit_id'>) =>
    ({ tenant_id, kind: 'limit', target: limit_id }) as const

  return {
    /** `after` is undefined where the list was taken away. */
    list(
      by: Principal,
      { kind, id }: Subject,
      { before, after }: Record<'before' | 'after', Entries>,
    ) {
      const action = after === undefined ? 'removed' : before ? 'changed' : 'added'
      const place = {
        tenant_id: by.tenant_id,
        kind: 'allow_list',
        target: `${kind}:${id}`,
      } as const
      return note(by, { ...place, action, before, after })
    },
    addedRule: (by: Principal, rule: Omit<Rule, 'revision'>) =>
      note(by, { ...toRule(rule), action: 'added', after: rule }),
    removedRule: (by: Principal, rule: Rule) =>
      note(by, { ...toRule(rule), action: 'removed', before: rule }),
    addedLimit: (by: Principal, limit: Omit<Limit, 'revision'>) =>
      note(by, { ...toLimit(limit), action: 'added', after: limit }),
    removedLimit: (by: Principal, limit: Limit) =>
      note(by, { ...toLimit(limit), action: 'removed', before: limit }),
  }
}
