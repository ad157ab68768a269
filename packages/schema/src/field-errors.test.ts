import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AppError } from './errors.ts'
import { parseAs } from './field-errors.ts'

const schema = z.strictObject({
  name: z.string().min(3),
  kind: z.enum(['a', 'b']),
  rows: z.array(z.strictObject({ 'odd key': z.int() })),
  headers: z.record(z.string().regex(/^[a-z]+$/, 'expected small letters'), z.string()),
  password: z.string(),
})
const good = {
  name: 'abc',
  kind: 'a',
  rows: [{ 'odd key': 1 }],
  headers: { a: 'b' },
  password: 'x',
}

const refusal = (value: unknown): AppError => {
  try {
    parseAs(schema, value, 'form')
  } catch (error) {
    return error as AppError
  }
  throw new Error('accepted')
}

test('a value that fits comes back', () => {
  expect(parseAs(schema, good, 'form')).toEqual(good)
})

test.each([
  [{ ...good, name: 'ab' }, 'name', 'at least 3 characters', 'string of 2 characters'],
  [{ ...good, kind: 'c' }, 'kind', '"a" | "b"', '"c"'],
  [{ ...good, rows: [{ 'odd key': '1' }] }, 'rows[0]["odd key"]', 'number', 'string'],
  [{ ...good, headers: { A: 'b' } }, 'headers.A', 'name: small letters', 'string'],
  [{ ...good, role: 'admin' }, 'role', 'no such field', 'string'],
  [JSON.parse('[]'), '', 'object', 'array'],
])('%j is refused by its field', (value, path, expected, got) => {
  expect(refusal(value).data).toEqual({ errors: [{ path, expected, got }] })
})

test('the message names the first fields and counts the others', () => {
  expect(refusal({ a: 1 }).message).toBe(
    'the form does not fit: name: expected string, got nothing; ' +
      'kind: expected "a" | "b", got nothing; rows: expected array, got nothing; and 3 more',
  )
})

test('a value that may be a secret is not quoted', () => {
  const { message, data } = refusal({ ...good, password: 24681357 })
  expect(message + JSON.stringify(data)).not.toContain('24681357')
})

test('a key __proto__ is an unknown field and no prototype', () => {
  const value = JSON.parse(JSON.stringify(good).replace('{', '{"__proto__":{"polluted":1},'))
  expect(refusal(value).message).toContain('__proto__: expected no such field')
})

test('a name of any length is told in few characters', () => {
  const { message, data } = refusal({ ...good, ['k'.repeat(100_000)]: 1 })
  expect(message.length).toBeLessThan(200)
  expect(JSON.stringify(data).length).toBeLessThan(300)
})

test('a limit is told with its unit, and a number of a query as it was sent', () => {
  const schema = z.strictObject({
    limit: z.coerce.number().max(200),
    tags: z.array(z.string()).min(1),
  })
  expect(() => parseAs(schema, { limit: '100000', tags: [] }, 'query')).toThrow(
    'limit: expected at most 200, got 100000; tags: expected at least 1 item, got array',
  )
})
