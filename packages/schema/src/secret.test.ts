import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createSecret, secretString, toSecretView } from './secret.ts'

const value = 'sk-canary-0123456789abcdef'

test('a secret prints as *** however it is printed', () => {
  const secret = createSecret(value)
  const printed = [
    String(secret),
    `${secret}`,
    JSON.stringify({ secret }),
    JSON.stringify({ ...secret }),
    inspect(secret),
    inspect({ nested: { secret } }, { depth: 9, showHidden: true }),
    Object.entries(secret).join(),
  ]
  expect(printed.filter((text) => text.includes(value))).toEqual([])
  expect(printed.slice(0, 3)).toEqual(['***', '***', '{"secret":"***"}'])
  expect(inspect(secret)).toBe('***')
})

test('reveal gives the value that was parsed', () => {
  expect(secretString.parse(value).reveal()).toBe(value)
})

test('an empty secret is refused, and the refusal does not hold the value', () => {
  expect(secretString.safeParse('').success).toBe(false)
  expect(JSON.stringify(secretString.safeParse([value]).error)).not.toContain(value)
})

test('a view shows the last four characters of a long secret and nothing of a short one', () => {
  expect(toSecretView(createSecret(value))).toEqual({ set: true, last4: 'cdef' })
  expect(toSecretView(createSecret('hunter2'))).toEqual({ set: true })
})
