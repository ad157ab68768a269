import type { Role } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import { isAdministrator, isPlatformAdministrator, isSomeone, type Principal } from './principal.ts'

const of = (role: Role, fields: Partial<Principal> = {}): Principal => ({
  ...{ tenant_id: 't', user_id: 'ana', role, ...fields },
})

test('an administrator manages their tenant, one of the platform the installation', () => {
  expect([of('user'), of('admin'), of('platform_admin')].map(isAdministrator)).toEqual([
    ...[false, true, true],
  ])
  expect([of('user'), of('admin'), of('platform_admin')].map(isPlatformAdministrator)).toEqual([
    ...[false, false, true],
  ])
})

test("only a platform administrator may be of the platform's tenant, and calls nothing so", () => {
  expect(isAdministrator(of('admin', { tenant_id: '*' }))).toBe(false)
  const root = of('platform_admin', { tenant_id: '*' })
  expect(isPlatformAdministrator(root)).toBe(true)
  expect(isAdministrator(root)).toBe(true)
  expect(isSomeone(root)).toBe(false)
})

describe('ids that are nobody in particular give no rights', () => {
  const odd: [string, object][] = [
    ['an empty tenant', { tenant_id: '' }],
    ['no tenant', { tenant_id: undefined }],
    ['an empty user', { user_id: '' }],
    ['every user', { user_id: '*' }],
    ['an undefined user', { user_id: undefined }],
    ['an empty agent', { agent_id: '' }],
    ['every agent', { agent_id: '*' }],
    ['an empty API key', { api_key: '' }],
    ['an empty group', { group_id: '' }],
  ]
  test.each(odd)('%s', (_what, fields) => {
    expect(isSomeone(of('user', fields))).toBe(false)
    expect(isAdministrator(of('admin', fields))).toBe(false)
    expect(isAdministrator(of('platform_admin', fields))).toBe(false)
    expect(isPlatformAdministrator(of('platform_admin', fields))).toBe(false)
  })
})

test('a machine without a user, and every identity that is set, are someone', () => {
  expect(isSomeone(of('user', { user_id: null }))).toBe(true)
  expect(isSomeone(of('user', { agent_id: 'a', api_key: 'k', group_id: 'g' }))).toBe(true)
})
