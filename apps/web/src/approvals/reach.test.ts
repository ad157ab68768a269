import type { Approval } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { reachOf } from './reach.ts'

const approval: Approval = {
  approval_id: 'a1',
  tenant_id: 't1',
  status: 'pending',
  session_id: 's1',
  user_id: 'ana',
  agent_id: null,
  assignee: null,
  tool_call_id: 'c1',
  server_id: 'mall',
  tool_name: 'order.cancel',
  action_request: { name: 'order.cancel', args: {}, description: '' },
  reason: '',
  asked: 1,
  created_at: 0,
  expires_at: 1,
}
const ana = { user_id: 'ana', role: 'user' } as const
const ben = { user_id: 'ben', role: 'user' } as const
const ada = { user_id: 'ada', role: 'admin' } as const

test('whose call it is, and an administrator, may say yes for longer and change the arguments', () => {
  const every = { scopes: ['once', 'tool', 'server', 'always'], mayEdit: true }
  expect(reachOf(approval, ana)).toEqual(every)
  expect(reachOf(approval, ada)).toEqual(every)
  expect(reachOf(approval, ben)).toEqual({ scopes: ['once'], mayEdit: false })
})

test('a call that has no session, no person or no server cannot be allowed for these', () => {
  const scopesOf = (fields: Partial<Approval>) =>
    reachOf({ ...approval, ...fields } as Approval, ada).scopes
  expect(scopesOf({ session_id: null })).toEqual(['once', 'always'])
  expect(scopesOf({ user_id: null })).toEqual(['once'])
  expect(scopesOf({ server_id: 'dataagent' })).toEqual(['once', 'tool', 'always'])
})

test('what the call itself leaves open is kept to', () => {
  const { action_request } = approval
  const withReach = { ...action_request, reach: { scopes: ['once'], why: 'it depends' } }
  expect(reachOf({ ...approval, action_request: withReach }, ana).scopes).toEqual(['once'])
  const cut = { ...action_request, not_shown: { masked: 0, cut: 9 } }
  expect(reachOf({ ...approval, action_request: cut }, ana).mayEdit).toBe(false)
})
