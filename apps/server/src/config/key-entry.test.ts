import { expect, test } from 'vitest'
import { isKeyEntry, parseKeyEntry } from './key-entry.ts'

const administrator = { tenant_id: 'default', user_id: 'admin', role: 'admin', act_as: false }

test('a bare key is of the administrator of the default tenant [D19.4]', () => {
  expect(parseKeyEntry('a=b;c')).toEqual({ ...administrator, key: 'a=b;c' })
})

test('the long form says whose key it is; everything after key= is the key', () => {
  const text = 'tenant=acme;user=ada;role=auditor;act_as=true;key=k;key=2=='
  expect(parseKeyEntry(text)).toEqual({
    tenant_id: 'acme',
    user_id: 'ada',
    role: 'auditor',
    act_as: true,
    key: 'k;key=2==',
  })
})

test('whom it names without a role is a user', () => {
  expect(parseKeyEntry('user=ada;key=k')).toMatchObject({ user_id: 'ada', role: 'user' })
  expect(parseKeyEntry('tenant=acme;key=k')).toMatchObject({ user_id: 'admin', role: 'admin' })
})

test.each([
  'tenant=acme;user=ada',
  'user=ada;key=',
  'user=;key=k',
  'user=a/b;key=k',
  'role=root;key=k',
  'act_as=perhaps;key=k',
  'colour=red;key=k',
  `key=${'k'.repeat(513)}`,
])('the entry %# is refused', (text) => {
  expect(isKeyEntry(text)).toBe(false)
})
