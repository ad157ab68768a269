import { expect, test } from 'vitest'
import { toApprovalPolicy } from './to-approval-policy.ts'
import { createWebHITLHandler } from './web-hitl-handler.ts'

const approvals = { decide: () => Promise.reject(new Error('not asked')) }
const handler = createWebHITLHandler({ approvals, timeoutMs: 7_000 })
const there = { handler, canAsk: true, autoApprovedBy: () => undefined }

test('a person who is there is asked, within the time that is set [D18.4]', () => {
  expect(toApprovalPolicy(there)).toEqual({ kind: 'handler', handler, timeoutMs: 7_000 })
  expect(createWebHITLHandler({ approvals }).timeoutMs).toBe(300_000)
})

test('with nobody there, or no handler, what asks is denied [D3.5]', () => {
  expect(toApprovalPolicy({ ...there, canAsk: false })).toEqual({ kind: 'nothing' })
  expect(toApprovalPolicy({ ...there, handler: undefined })).toEqual({ kind: 'nothing' })
})

test('what the session or the agent says is approved, under a name that the audit holds [D3.5]', () => {
  const everything = { kind: 'everything', setting: 'auto_approve of the session' }
  const autoApprovedBy = () => 'session' as const
  const alone = toApprovalPolicy({ ...there, canAsk: false, autoApprovedBy })
  expect(alone).toMatchObject({ ...everything, harmful: { kind: 'nothing' } })
  const asked = { kind: 'handler', handler, timeoutMs: 7_000 }
  const policy = toApprovalPolicy({ ...there, autoApprovedBy })
  expect(policy).toMatchObject({ ...everything, harmful: asked })
  const agents = toApprovalPolicy({ ...there, autoApprovedBy: () => 'agent' })
  expect(agents).toMatchObject({ ...everything, setting: 'auto_approve of the agent' })
})
