import { describe, expect, test } from 'vitest'
import { type Principal, toCallerKey } from '../principal.ts'
import { isApprover, sees, toScope } from './access.ts'
import { aRow, aUser } from './test-approvals.ts'

const asking = aUser('ana', { agent_id: 'helper' })
const row = aRow({ caller: toCallerKey(asking), user_id: 'ana', assignee: 'bo' })

const principals: [who: string, by: Principal, sees: boolean, decides: boolean][] = [
  ['the person whose call it is', aUser('ana'), true, true],
  ['the same person by an API key', aUser('ana', { api_key: 'k1' }), true, true],
  ['whom it was handed over to', aUser('bo'), true, true],
  ['an administrator', aUser('eve', { role: 'admin' }), true, true],
  ['a platform administrator of the tenant', aUser('eve', { role: 'platform_admin' }), true, true],
  ['the agent that asks', asking, true, false],
  ['another agent of the same person', aUser('ana', { agent_id: 'other' }), false, false],
  ['a gateway’s client in her name', aUser('ana', { group_id: 'g1' }), false, false],
  ['an administrator’s agent', aUser('eve', { role: 'admin', agent_id: 'x' }), false, false],
  ['another user', aUser('cy'), false, false],
  ['a key without a user', { tenant_id: 't1', user_id: null, role: 'user' }, false, false],
  ['an administrator’s key without a user', machine('admin'), true, false],
  ['the same name in another tenant', aUser('ana', { tenant_id: 't2' }), false, false],
  [
    'another tenant’s administrator',
    aUser('eve', { tenant_id: 't2', role: 'admin' }),
    false,
    false,
  ],
]

describe('an approval', () => {
  test.each(principals)('of %s: seen and decided as it should be', (_who, by, seen, decided) => {
    expect({ seen: sees(by, row), decided: isApprover(by, row) }).toEqual({ seen, decided })
  })

  test('that a machine asked for belongs to no user without a name', () => {
    const machines = aRow({ user_id: null, caller: toCallerKey(machine('user')) })
    expect(sees(machine('user'), machines)).toBe(true)
    expect(isApprover(machine('user'), machines)).toBe(false)
    expect(sees(aUser('ana'), machines)).toBe(false)
    expect(isApprover(aUser('eve', { role: 'admin' }), machines)).toBe(true)
  })

  test('is listed for those who see it', () => {
    expect(toScope(aUser('eve', { role: 'admin' }))).toEqual({})
    expect(toScope(aUser('ana'))).toEqual({ user_id: 'ana' })
    expect(toScope(asking)).toEqual({ caller: row.caller })
  })
})

function machine(role: Principal['role']): Principal {
  return { tenant_id: 't1', user_id: null, role, api_key: 'k9' }
}
