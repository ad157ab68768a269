import { expect, test } from 'vitest'
import { isOffered } from './is-offered.ts'

const ways = ['/c', '/data', '/memory', '/admin']

test.each([
  ['user', ['/c', '/data', '/memory']],
  ['auditor', ['/data', '/admin']],
  ['admin', ways],
  ['platform_admin', ways],
] as const)('to a role of %s are shown %j', (role, shown) => {
  expect(ways.filter((path) => isOffered(path, role))).toEqual(shown)
})
