import type { JsonObject } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { judge } from './judge-schema.ts'
import { defaultSchemaLimits } from './schema-limits.ts'

function judgementOf(schema: unknown, limits = {}) {
  return judge(schema as JsonObject, { ...defaultSchemaLimits, ...limits }).judgement
}

function fields(count: number, field: unknown = { type: 'string' }) {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, field]))
}

function nest(levels: number, wrap: (inner: JsonObject) => JsonObject): JsonObject {
  let schema: JsonObject = { type: 'string' }
  for (let level = 0; level < levels; level++) schema = wrap(schema)
  return schema
}

test.each<[string, unknown]>([
  ['nothing', {}],
  ['an ordinary one', { type: 'object', properties: fields(30), required: ['f0'] }],
  ['many choices', { enum: Array.from({ length: 1_000 }, (_, index) => `choice ${index}`) }],
  [
    'optional fields of objects',
    { properties: fields(5, { anyOf: [{ properties: fields(5) }, { type: 'null' }] }) },
  ],
  ['a list that refers to itself', { properties: { next: { $ref: '#' } } }],
  ['a tree that refers to itself', { properties: { left: { $ref: '#' }, right: { $ref: '#' } } }],
  [
    'a shared part',
    { properties: fields(20, { $ref: '#/$defs/a' }), $defs: { a: { properties: fields(20) } } },
  ],
  ['unique items', { uniqueItems: true }],
  ['a pattern', { pattern: '^[a-z]+$' }],
  ['nesting within bounds', nest(30, (inner) => ({ properties: { a: inner } }))],
  [
    'fields that are called like keywords',
    { properties: { $ref: { type: 'string' }, items: {}, $id: {} } },
  ],
  [
    'text in places where nobody looks',
    { default: { $ref: 'http://x' }, examples: [{ $ref: 'y' }] },
  ],
])('%s is plain', (_, schema) => {
  expect(judgementOf(schema)).toEqual({ status: 'plain' })
})

test.each<[string, unknown, string]>([
  ['many subschemas', { properties: fields(200) }, 'has 201 subschemas'],
  [
    'a union that recurs in two branches',
    { anyOf: [{ items: { $ref: '#' } }, { contains: { $ref: '#' } }] },
    'several branches',
  ],
  ['a pattern with a lookahead', { pattern: '(?=a)' }, 'may take long'],
  ['a large pattern', { pattern: 'a'.repeat(5_000) }, 'large'],
  ['a pattern that repeats what repeats', { pattern: '(?:[\\p{L}]{20}){20}' }, 'large'],
  ['a name pattern with a lookahead', { patternProperties: { '(?!a)': {} } }, 'may take long'],
  [
    'many patterns',
    { allOf: Array.from({ length: 50 }, (_, i) => ({ pattern: `${i}` })) },
    '50 patterns',
  ],
  ['unions within unions', { $ref: '#/$defs/a', $defs: doubling(9) }, 'checks per value'],
])('%s is suspicious', (_, schema, why) => {
  expect(judgementOf(schema)).toEqual({ status: 'suspicious', why: expect.stringContaining(why) })
})

test.each<[string, unknown, string]>([
  ['more than 64 KiB', { description: 'x'.repeat(64 * 1024) }, 'larger than 65536 bytes'],
  ['64 KiB in bytes, not characters', { description: '订'.repeat(30_000) }, 'larger than'],
  ['33 levels', nest(33, (inner) => ({ not: inner })), 'deeper than 32'],
  ['33 levels of unknown keywords', nest(100, (inner) => ({ x: inner })), 'deeper than 32'],
  ['2,001 subschemas', { properties: fields(2_001, true) }, 'more than 2000 subschemas'],
  ['a large expansion', { $ref: '#/$defs/a', $defs: doubling(14) }, 'expands to more than 10000'],
  [
    'a reference to itself through others',
    {
      $ref: '#/$defs/a',
      $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } },
    },
    'without an end',
  ],
  ['a reference that is no text', { $ref: 1 }, '`$ref` at the top that is not a string'],
  ['a reference to no schema', { $ref: '#/required', required: ['a'] }, 'leads nowhere'],
  ['a reference with broken escapes', { $ref: '#/%zz' }, 'leads out'],
  [
    'a document within',
    { properties: { a: { $id: 'https://example.com/b', type: 'string' } } },
    'holds another document',
  ],
  [
    'required that is no list',
    { properties: { a: { required: true } } },
    '`required` at /properties/a',
  ],
  ['an empty enum', { enum: [] }, 'at least one value'],
  ['properties that are no schemas', { properties: { a: 'string' } }, '`properties`'],
  ['a minimum that is text', { minimum: '1' }, '`minimum`'],
  ['a key __proto__', { properties: Object.fromEntries([['__proto__', {}]]) }, '__proto__'],
  ['what JSON cannot hold', { default: 1n }, 'JSON cannot'],
  [
    'a list of items in 2020-12',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', items: [{}] },
    'prefixItems',
  ],
  ['a cycle of objects', cyclic(), 'deeper than'],
])('%s is rejected', (_, schema, why) => {
  expect(judgementOf(schema)).toEqual({ status: 'rejected', why: expect.stringContaining(why) })
})

test('limits are options', () => {
  expect(judgementOf({ description: 'x'.repeat(100) }, { bytes: 50 }).status).toBe('rejected')
  expect(judgementOf({ description: 'x'.repeat(100_000) }, { bytes: 200_000 }).status).toBe('plain')
})

test('a schema of many megabytes is rejected without reading it all [T14]', () => {
  const huge = { enum: Array.from({ length: 1_000_000 }, (_, index) => index) }
  const began = performance.now()
  expect(judgementOf(huge).status).toBe('rejected')
  expect(performance.now() - began).toBeLessThan(500)
})

function doubling(levels: number): JsonObject {
  const $defs: JsonObject = {}
  const names = Array.from({ length: levels }, (_, index) => (index === 0 ? 'a' : `n${index}`))
  for (const [index, name] of names.entries()) {
    const next = names[index + 1]
    const below = next === undefined ? { type: 'string' } : { $ref: `#/$defs/${next}` }
    $defs[name] = { anyOf: [below, { ...below, description: 'again' }] }
  }
  return $defs
}

function cyclic(): unknown {
  const schema: Record<string, unknown> = {}
  schema.not = schema
  return schema
}
