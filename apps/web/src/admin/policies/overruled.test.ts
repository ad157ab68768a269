import { expect, test } from 'vitest'
import { overruledBy } from './overruled.ts'

let made = 0
function rule(given: object = {}) {
  made += 1
  return {
    ...{ rule_id: `r${made}`, tier: 'tenant' as const, effect: 'allow' as const },
    ...{ subject: { kind: 'user' as const, id: 'ana' }, server_id: 'mall', tool: 'get' },
    ...{ session_id: null, expires_at: null },
    ...given,
  }
}

test('a deny that speaks of the same overrules, and is overruled by nothing', () => {
  const allow = rule()
  const deny = rule({ effect: 'deny', tier: 'user', tool: '*' })
  expect(overruledBy(allow, [allow, deny])).toBe(deny)
  expect(overruledBy(deny, [rule({ tier: 'platform' }), deny])).toBeUndefined()
})

test('a higher tier overrules, within one tier ask overrules allow', () => {
  const allow = rule()
  const above = rule({ tier: 'platform', subject: { kind: 'tenant', id: '*' }, server_id: '*' })
  const ask = rule({ effect: 'ask' })
  expect(overruledBy(allow, [allow, above])).toBe(above)
  expect(overruledBy(allow, [ask])).toBe(ask)
  expect(overruledBy(ask, [allow])).toBeUndefined()
})

test('what speaks of less, of others or for a shorter time does not overrule', () => {
  const allow = rule()
  for (const given of [
    { tool: 'get_*' },
    { server_id: 'wiki' },
    { subject: { kind: 'user', id: 'ben' } },
    { subject: { kind: 'agent', id: '*' } },
    { expires_at: 5 },
    { session_id: 's1' },
  ]) {
    expect(overruledBy(allow, [rule({ effect: 'deny', ...given })])).toBeUndefined()
  }
})
