import { expect, test } from 'vitest'
import type { Principal, SubjectKind } from '../principal.ts'
import { toLimitKey } from './limit-key.ts'
import { makeLimit, makePrincipal } from './test-limits.ts'

const principal: Principal = makePrincipal({
  user_id: 'u1',
  agent_id: 'a1',
  api_key: 'k1',
  group_id: 'g1',
})

test.each([
  ['agent', 'a1'],
  ['api_key', 'k1'],
  ['group', 'g1'],
  ['user', 'u1'],
  ['tenant', 't1'],
] satisfies [SubjectKind, string][])('%s * is counted as %s', (kind, id) => {
  const limit = makeLimit(1, 1_000, { limit_id: 'l1', subject: { kind, id: '*' } })
  expect(toLimitKey(principal, limit)).toBe(`limit:t1:l1:${id}:*/*`)
})

test('a limit of a server and a tool names both', () => {
  const limit = makeLimit(1, 1_000, { limit_id: 'l1', server_id: 'mall', tool: 'order.*' })
  expect(toLimitKey(principal, limit)).toBe('limit:t1:l1:t1:mall/order.*')
})

test('a kind that the caller is not has no window', () => {
  const limit = makeLimit(1, 1_000, { subject: { kind: 'agent', id: '*' } })
  expect(toLimitKey(makePrincipal(), limit)).toBeUndefined()
})

test('names with the marks of the key in them stay apart', () => {
  const subject = { kind: 'user' as const, id: '*' }
  const keys = (
    [
      ['l', 'a:b'],
      ['l:a', 'b'],
      ['l', 'a%3Ab'],
      ['l', 'a/b'],
    ] as const
  ).map(([limit_id, user_id]) =>
    toLimitKey(makePrincipal({ user_id }), makeLimit(1, 1, { limit_id, subject })),
  )
  expect(new Set(keys).size).toBe(4)
})

test('a key of any length fits the KV', () => {
  const subject = { kind: 'user' as const, id: 'u'.repeat(5_000) }
  const [one, two] = ['a', 'b'].map((tool) =>
    toLimitKey(principal, makeLimit(1, 1, { limit_id: 'l1', subject, tool })),
  )
  expect(one?.length).toBeLessThan(100)
  expect(one).not.toBe(two)
})
