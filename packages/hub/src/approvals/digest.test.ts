import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCanonicalJson } from '../canonical-json.ts'
import type { BoundCall } from './contract.ts'
import { toDigest } from './digest.ts'
import { anAsk, aUser } from './test-approvals.ts'

const call = anAsk({ args: { order: 7, lines: [1, 2] } })

test('the same call has the same digest, whatever the order of its keys', () => {
  const again = { ...call, args: { lines: [1, 2], order: 7 }, call_id: 'c2', reason: 'other' }
  expect(toDigest(again)).toBe(toDigest(call))
})

const changes: [what: string, change: Partial<BoundCall>][] = [
  ['tenant', { principal: aUser('ana', { tenant_id: 't2' }) }],
  ['user', { principal: aUser('bo') }],
  ['agent', { principal: aUser('ana', { agent_id: 'a' }) }],
  ['API key', { principal: aUser('ana', { api_key: 'a' }) }],
  ['tool group', { principal: aUser('ana', { group_id: 'a' }) }],
  ['server', { tool: { server_id: 'shop', name: 'refund' } }],
  ['tool', { tool: { server_id: 'mall', name: 'refund_all' } }],
  ['server and tool that read alike', { tool: { server_id: 'mallre', name: 'fund' } }],
  ['definition', { definition_hash: 'd2' }],
  ['argument', { args: { order: 8, lines: [1, 2] } }],
  ['argument’s type', { args: { order: '7', lines: [1, 2] } }],
  ['argument’s order', { args: { order: 7, lines: [2, 1] } }],
  ['call, where it is for one', { once_for: 'run/call' }],
  ['argument more', { args: { order: 7, lines: [1, 2], force: true } }],
]

test.each(changes)('another %s is another digest', (_what, change) => {
  expect(toDigest({ ...call, ...change })).not.toBe(toDigest(call))
})

test('arguments that differ as JSON have different digests, and equal ones the same [T40]', () => {
  const args = fc.dictionary(fc.string(), fc.jsonValue())
  const holds = (first: Record<string, unknown>, second: Record<string, unknown>) => {
    const isSame = toCanonicalJson(first) === toCanonicalJson(second)
    const [one, other] = [first, second].map((args) => toDigest({ ...call, args }))
    expect(one === other).toBe(isSame)
  }
  fc.assert(fc.property(args, args, holds))
})
