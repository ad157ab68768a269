import type { JsonObject } from '@dataagent/schema'
import { isPlainObject } from '@dataagent/schema'
import { longCount, playMutated } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createValidator } from './validator.ts'

const samples = [
  {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 1, pattern: '^[A-Z]\\w+$' },
      days: { type: 'integer', minimum: 1, maximum: 14, default: 3 },
      units: { enum: ['c', 'f'] },
    },
    required: ['city'],
    additionalProperties: false,
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      node: { properties: { next: { $ref: '#/$defs/node' }, at: { format: 'date-time' } } },
    },
    anyOf: [{ $ref: '#/$defs/node' }, { type: 'array', items: { $ref: '#/$defs/node' } }],
  },
  {
    $schema: 'http://json-schema.org/draft-07/schema#',
    items: [{ const: 1 }, { type: ['string', 'null'] }],
    patternProperties: { '^x-': { oneOf: [{ type: 'number', multipleOf: 0.5 }, { not: {} }] } },
    if: { required: ['a'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
    then: { dependentRequired: { a: ['b'] } },
    uniqueItems: true,
  },
].map((schema) => JSON.stringify(schema))

const values = [
  { city: 'Köln', days: 3 },
  { city: '', days: 99, units: 'k', more: [[]] },
  [1, null],
  { next: { next: {}, at: 'never' } },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}'),
  'text',
]
const count = longCount(500, 200_000)

test(`each of ${count} mutated schemas is used or refused with why, and what is good stays so [T16, T17]`, async () => {
  await using validator = createValidator({ cacheMax: 50 })
  const good = JSON.parse(samples[0] ?? '') as JsonObject
  const seen = { plain: 0, suspicious: 0, rejected: 0 }
  await playMutated({ samples, count }, async (text, random) => {
    const schema = toObject(text.toString())
    if (!schema) return
    const judgement = validator.judgeSchema(schema)
    seen[judgement.status] += 1
    const key = `${random.next()}`
    const validation = await validator.validate(key, schema, random.of(values))
    expect(['ok', 'invalid', 'failed']).toContain(validation.status)
    if (judgement.status === 'rejected') {
      expect(judgement.why.length).toBeLessThan(1_000)
      expect(validation.status).not.toBe('ok')
    }
    expect(await validator.validate('good', good, { city: 'Bonn' })).toEqual({ status: 'ok' })
    expect(await validator.validate('good', good, { days: 1 })).toMatchObject({ status: 'invalid' })
  })
  expect(seen.plain).toBeGreaterThan(count / 20)
  expect(seen.rejected).toBeGreaterThan(count / 100)
}, 3_600_000)

function toObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isPlainObject(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}
