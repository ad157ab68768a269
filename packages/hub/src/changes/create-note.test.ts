import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createNote } from './create-note.ts'

const clock = createFakeClock()
const note = createNote({ clock })
const by = { tenant_id: 't0', user_id: 'pia', role: 'platform_admin', api_key: 'key-1' } as const
const happened = { tenant_id: '*', kind: 'rule', target: 'r1', action: 'removed' } as const

test('a note says who, when and what', () => {
  const { change_id, ...told } = note(by, { ...happened, before: { effect: 'deny' } })
  expect(change_id).not.toBe(note(by, happened).change_id)
  expect(told).toEqual({
    ...happened,
    ...{ by_tenant: 't0', user_id: 'pia', role: 'platform_admin', api_key: 'key-1' },
    ...{ changed_at: clock.now(), before: '{"effect":"deny"}', after: null },
  })
})

test('what is done in the place of a user is noted for the one who did it', () => {
  expect(note({ ...by, user_id: 'ada', acting_user: 'pia' }, happened).user_id).toBe('pia')
})

test('what looks like a secret is masked', () => {
  const after = {
    url: 'https://mcp.example?api_key=k-0123456789',
    args: ['--token', 't-987654321'],
  }
  expect(note(by, { ...happened, after }).after).not.toMatch(/0123456789|987654321/)
})

test('what is long is told by its digest, the same for the same', () => {
  const long = (word: string) => note(by, { ...happened, after: [word.repeat(20_000)] }).after
  const { sha256, characters } = JSON.parse(long('a')!)
  expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(characters).toBe(20_004)
  expect(long('a')).toBe(long('a'))
  expect(long('a')).not.toBe(long('b'))
})
