import { expect, test } from 'vitest'
import { mayOpen, sectionsFor } from './sections.ts'

test('each role has the sections that the API answers it in', () => {
  const namesFor = (role: Parameters<typeof sectionsFor>[0]) =>
    sectionsFor(role).map(({ name }) => name)
  expect(namesFor('auditor')).toEqual(['overview', 'users', 'audit', 'usage'])
  expect(namesFor('user')).toEqual([])
  expect(namesFor('admin')).not.toContain('tenants')
  expect(namesFor('platform_admin')).toHaveLength(12)
})

test('a page is opened by those who have its section', () => {
  expect(mayOpen('/admin/tenants/', 'admin')).toBe(false)
  expect(mayOpen('/admin/tenants', 'platform_admin')).toBe(true)
  expect([mayOpen('/admin', 'auditor'), mayOpen('/admin', 'user')]).toEqual([true, false])
})
