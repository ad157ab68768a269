import { expect, test } from 'vitest'
import { createAddressCheck } from './address-check.ts'

const allowSetting = 'ALLOWED'
const inner = { host: 'db.corp.example', port: 5432, address: '10.1.2.3' }

test('any address may be dialled where the policy says so', () => {
  const check = createAddressCheck({ policy: { mode: 'any' }, allowSetting })
  expect(() => check(inner)).not.toThrow()
})

test('an inner address is refused, and the setting named that would allow it', () => {
  const check = createAddressCheck({ policy: { mode: 'public' }, allowSetting })
  expect(() => check(inner)).toThrow(/db\.corp\.example:5432 is a private address.*ALLOWED/)
  expect(() => check({ ...inner, address: '93.184.215.14' })).not.toThrow()
})

test.each([
  ['its range', '10.0.0.0/8'],
  ['its name', 'db.corp.example'],
  ['its name and port', 'db.corp.example:5432'],
])('it is let through where %s is allowed', (_, allowed) => {
  const policy = { mode: 'public', allowedAddresses: [allowed] } as const
  const check = createAddressCheck({ policy, allowSetting })
  expect(() => check({ ...inner, host: 'DB.corp.example.' })).not.toThrow()
})

test('a port that is not among the allowed ones is refused', () => {
  const check = createAddressCheck({ policy: { mode: 'any', allowedPorts: [443] }, allowSetting })
  expect(() => check(inner)).toThrow(/Port 5432/)
})
