import { expect, test } from 'vitest'
import { toStep } from './to-step.ts'
import { toReason } from './use-reason.ts'

const latin = /[A-Za-z]{3,}/

test('each reason is a sentence in both languages', () => {
  const rule = { kind: 'rule', rule_id: 'r1', tier: 'tenant', effect: 'deny' } as const
  expect(toReason(rule, 'en')).toBe('Rule r1 of tier Tenant says: Deny.')
  expect(toReason(rule, 'zh')).toBe('租户层级的规则 r1：拒绝。')
  const every = { kind: 'not_bound', subject: { kind: 'user', id: '*' } } as const
  expect(toReason(every, 'zh')).toBe('所有用户 的清单不包含该工具。')
  expect(toReason({ kind: 'default', why: 'users_server' }, 'en')).toMatch(/once in a session/)
  expect(toReason({ kind: 'default', why: 'of_tomorrow' }, 'en')).toMatch(/of_tomorrow/)
})

const user = { kind: 'user', id: '7' } as const
const target = { subject: user, server_id: '*', tool: '*' } as const
const rule = { kind: 'rule', rule_id: 'r1', tier: 'tenant', effect: 'ask', ...target } as const

test.each([
  { kind: 'refused_at_once', why: 'nobody' },
  { kind: 'refused_at_once', why: 'unconfirmed' },
  { kind: 'refused_at_once', why: 'role' },
  { kind: 'server', visible: true },
  { kind: 'server', visible: false },
  { kind: 'features_on' },
  { kind: 'feature_off', feature: '7' },
  { kind: 'brought' },
  { kind: 'list', subject: user, of: null, holds: true },
  { kind: 'list', subject: user, of: { kind: 'tenant', id: '*' }, holds: false },
  { ...rule, state: 'fits' },
  { ...rule, state: 'fits_too' },
  { ...rule, state: 'expired' },
  { ...rule, state: 'other_session' },
  { kind: 'server_setting', effect: 'ask' },
  { kind: 'default', why: 'own_tool_by_arguments' },
  { kind: 'untrusted_output', read: ['1'], doubtful: [], outside: false },
  { kind: 'untrusted_output', read: ['1'], doubtful: [], outside: true },
  { kind: 'untrusted_output', read: ['1'], doubtful: ['1'], outside: true },
  { kind: 'arguments', asks: true },
  { kind: 'arguments', asks: false },
] as const)('the step %j is told in both languages', (step) => {
  const what = structuredClone(step) as Parameters<typeof toStep>[0]
  expect(toStep(what, 'en')).toMatch(latin)
  expect(toStep(what, 'zh')).not.toMatch(latin)
})
