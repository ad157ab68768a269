import type { JsonObject } from '@dataagent/schema'
import { afterAll, describe, expect, test } from 'vitest'
import { createValidator } from './validator.ts'

const validator = createValidator()
afterAll(() => validator.close())

const dialects = {
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
}

/** A schema, values that fit it, values that do not. */
type Case = [schema: unknown, good: unknown[], bad: unknown[]]

const everywhere: Case[] = [
  [{}, [1, 'a', null, [], {}], []],
  [{ type: 'string' }, ['', 'a'], [1, null, true, [], {}]],
  [{ type: 'integer' }, [1, 1.0, -3, 0, 1e300], [1.5, '1', null]],
  [{ type: 'number' }, [1, 1.5], ['1', null]],
  [{ type: 'boolean' }, [true, false], [0, 'true', null]],
  [{ type: 'null' }, [null], [0, '', false]],
  [{ type: 'array' }, [[]], [{}, 'a']],
  [{ type: 'object' }, [{}], [[], null]],
  [{ type: ['string', 'null'] }, ['a', null], [1, {}]],
  [
    { enum: [1, 'a', null, [1], { a: 1, b: 2 }] },
    [1, 'a', null, [1], { b: 2, a: 1 }],
    [2, 'b', [2], { a: 1 }],
  ],
  [{ const: { a: [1] } }, [{ a: [1] }], [{ a: [2] }, null]],
  [{ const: null }, [null], [0, '']],
  [{ const: 0 }, [0, -0], [false, '', null]],
  [{ const: false }, [false], [0, null]],
  [{ multipleOf: 2 }, [4, 0, -2, 'x'], [3, 1.5]],
  [{ multipleOf: 0.5 }, [1.5, 2], [0.3]],
  [{ minimum: 1 }, [1, 2, 'x'], [0.9]],
  [{ maximum: 1 }, [1, -5, 'x'], [1.1]],
  [{ exclusiveMinimum: 1 }, [1.1], [1]],
  [{ exclusiveMaximum: 1 }, [0.9], [1]],
  [{ minLength: 2 }, ['ab', '😀😀', 1], ['a', '😀']],
  [{ maxLength: 2 }, ['ab', '😀😀', 1], ['abc', '😀😀😀']],
  [{ pattern: 'b+' }, ['abbc', 1], ['ac']],
  [{ pattern: '^\\d{3}-[A-Z]$' }, ['123-A'], ['12-A', 'x123-A', '123-AA', '123-A\n']],
  [{ pattern: '^\\p{L}+$' }, ['été', '订单'], ['a1']],
  [{ pattern: '^(?!foo)' }, ['bar'], ['foobar']],
  [{ pattern: '^(a)\\1$' }, ['aa'], ['ab']],
  [{ pattern: '^[\\w-\\.]+$' }, ['a-b.c'], ['a b']],
  [{ minItems: 1 }, [[1], 'x'], [[]]],
  [{ maxItems: 1 }, [[1], []], [[1, 2]]],
  [
    { uniqueItems: true },
    [
      [1, 2],
      [1, true],
      [0, false],
      [{ a: 1 }, { a: 2 }],
      ['1', 1],
    ],
    [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[1], [1]],
    ],
  ],
  [{ uniqueItems: false }, [[1, 1]], []],
  [{ items: { type: 'integer' } }, [[1, 2], [], 'x'], [[1, 'x']]],
  [{ items: false }, [[]], [[1]]],
  [{ contains: { const: 1 } }, [[2, 1]], [[], [2]]],
  [{ minProperties: 1 }, [{ a: 1 }], [{}]],
  [{ maxProperties: 1 }, [{ a: 1 }], [{ a: 1, b: 2 }]],
  [{ required: ['a', 'b'] }, [{ a: 1, b: null }, []], [{ a: 1 }, {}]],
  [{ required: ['toString', 'constructor'] }, [{ toString: 1, constructor: 2 }], [{}]],
  [{ properties: { a: { type: 'string' } } }, [{ a: 'x' }, {}, { b: 1 }, []], [{ a: 1 }]],
  [
    { properties: { 'a/b~c "d"': { type: 'string' } } },
    [{ 'a/b~c "d"': 'x' }],
    [{ 'a/b~c "d"': 1 }],
  ],
  [{ properties: { a: false } }, [{}, { b: 1 }], [{ a: 1 }]],
  [{ patternProperties: { '^a': { type: 'string' } } }, [{ ab: 'x', b: 1 }], [{ ab: 1 }]],
  [{ properties: { a: {} }, additionalProperties: false }, [{ a: 1 }], [{ b: 1 }]],
  [
    { properties: { a: {} }, additionalProperties: { type: 'integer' } },
    [{ a: 'x', b: 1 }],
    [{ b: 'x' }],
  ],
  [{ patternProperties: { '^x-': {} }, additionalProperties: false }, [{ 'x-a': 1 }], [{ y: 1 }]],
  [{ propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
  [{ allOf: [{ type: 'string' }, { minLength: 2 }] }, ['ab'], ['a', 1]],
  [{ anyOf: [{ type: 'string' }, { minimum: 2 }] }, ['a', 2], [1]],
  [{ oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [6, 1]],
  [{ not: { type: 'string' } }, [1, null], ['a']],
  [{ not: {} }, [], [1, null]],
  [
    {
      if: { properties: { a: { const: 1 } }, required: ['a'] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
      then: { required: ['b'] },
      else: { required: ['c'] },
    },
    [
      { a: 1, b: 1 },
      { a: 2, c: 1 },
    ],
    [{ a: 1 }, { a: 2 }],
  ],
  [
    { dependencies: { a: ['b'], c: { required: ['d'] } } },
    [{ a: 1, b: 1 }, {}, { c: 1, d: 1 }],
    [{ a: 1 }, { c: 1 }],
  ],
  [{ $ref: '#/definitions/a', definitions: { a: { type: 'string' } } }, ['x'], [1]],
  [
    {
      properties: { 'a b': { $ref: '#/definitions/x%20y' } },
      definitions: { 'x y': { type: 'string' } },
    },
    [{ 'a b': 'x' }],
    [{ 'a b': 1 }],
  ],
  [
    { properties: { next: { $ref: '#' }, id: { type: 'integer' } }, required: ['id'] },
    [{ id: 1, next: { id: 2 } }],
    [{ id: 1, next: {} }],
  ],
  [
    { $ref: '#/components/schemas/a', components: { schemas: { a: { type: 'string' } } } },
    ['x'],
    [1],
  ],
  [{ type: 'string', nullable: true }, ['a', null], [1]],
  [{ format: 'date-time' }, ['2030-01-01T00:00:00Z', 1], ['2030-01-01', '2030-13-01T00:00:00Z']],
  [{ format: 'date' }, ['2028-02-29'], ['2030-02-29', 'x']],
  [{ format: 'email' }, ['a@example.com'], ['a', 'a@']],
  [{ format: 'uri' }, ['https://example.com/a?b#c'], ['example', '//x']],
  [{ format: 'uuid' }, ['123e4567-e89b-12d3-a456-426614174000'], ['123']],
  [{ format: 'ipv4' }, ['127.0.0.1'], ['256.0.0.1', '1.2.3']],
  [{ format: 'ipv6' }, ['::1'], ['1.2.3.4', ':::']],
  [{ format: 'hostname' }, ['example.com'], ['-a', 'a..b']],
  [{ format: 'made-up' }, ['anything'], []],
  [{ type: 'object', 'x-unknown': { type: 7 }, example: 1, id: 'stray' }, [{}], [1]],
  [{ default: 1, title: 't', description: 'd', examples: [1], $comment: 'c' }, [1, 'a'], []],
]

const only: Record<keyof typeof dialects, Case[]> = {
  'draft-07': [
    [
      { items: [{ type: 'string' }, { type: 'integer' }] },
      [['a', 1], ['a'], ['a', 1, null]],
      [[1], ['a', 'b']],
    ],
    [{ items: [{ type: 'string' }], additionalItems: false }, [['a']], [['a', 1]]],
    [
      { properties: { a: { $ref: '#x' } }, definitions: { x: { $id: '#x', type: 'string' } } },
      [{ a: 'b' }],
      [{ a: 1 }],
    ],
  ],
  '2019-09': [
    [
      { items: [{ type: 'string' }], additionalItems: { type: 'integer' } },
      [['a', 1]],
      [['a', 'b']],
    ],
    [{ dependentRequired: { a: ['b'] } }, [{ a: 1, b: 1 }, {}], [{ a: 1 }]],
    [
      { contains: { const: 1 }, minContains: 2, maxContains: 3 },
      [
        [1, 1],
        [1, 1, 1, 2],
      ],
      [[1], [1, 1, 1, 1]],
    ],
    [{ properties: { a: {} }, unevaluatedProperties: false }, [{ a: 1 }], [{ b: 1 }]],
    [
      { $recursiveAnchor: true, properties: { a: { $recursiveRef: '#' } }, maxProperties: 1 },
      [{ a: {} }],
      [{ a: { a: 1, b: 1 } }],
    ],
  ],
  '2020-12': [
    [
      {
        $ref: '#/$defs/d',
        patternProperties: { '^[ab]$': true },
        unevaluatedProperties: false,
        $defs: { d: { properties: { a: false } } },
      },
      [{ b: 1 }],
      [{ a: 1 }, { c: 1 }],
    ],
    [{ prefixItems: [{ type: 'string' }], contains: { const: 1 } }, [['a', 1]], [[], ['a']]],
    [
      { prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
      [['a', 1], []],
      [['a', 'b'], [1]],
    ],
    [{ prefixItems: [{}], items: false }, [[1]], [[1, 2]]],
    [{ dependentRequired: { a: ['b'] } }, [{ a: 1, b: 1 }], [{ a: 1 }]],
    [{ dependentSchemas: { a: { required: ['b'] } } }, [{ a: 1, b: 1 }, {}], [{ a: 1 }]],
    [{ contains: { const: 1 }, minContains: 0 }, [[], [2]], []],
    [{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, [{ a: 1 }], [{ b: 1 }]],
    [{ prefixItems: [{}], unevaluatedItems: false }, [[1]], [[1, 2]]],
    [{ $ref: '#/$defs/a', minLength: 2, $defs: { a: { type: 'string' } } }, ['ab'], ['a', 1]],
    [{ $ref: '#a', $defs: { x: { $anchor: 'a', type: 'string' } } }, ['x'], [1]],
    [
      { $dynamicAnchor: 'a', type: 'object', additionalProperties: { $dynamicRef: '#a' } },
      [{ x: {} }],
      [{ x: 1 }],
    ],
    [
      {
        $id: 'https://example.com/s',
        $ref: 'https://example.com/s#/$defs/a',
        $defs: { a: { type: 'string' } },
      },
      ['x'],
      [1],
    ],
  ],
}

describe.each(Object.keys(dialects) as (keyof typeof dialects)[])('%s', (dialect) => {
  const cases = [...everywhere, ...only[dialect]].map(
    (one) => [JSON.stringify(one[0]), one] as const,
  )

  test.each(cases)('%s', async (name, [schema, good, bad]) => {
    const whole = { $schema: dialects[dialect], ...(schema as JsonObject) }
    const statusOf = async (value: unknown) =>
      (await validator.validate(`${dialect} ${name}`, whole, value)).status
    expect(await Promise.all(good.map(statusOf))).toEqual(good.map(() => 'ok'))
    expect(await Promise.all(bad.map(statusOf))).toEqual(bad.map(() => 'invalid'))
  })
})

test('there is a case for each thing that a schema can say', () => {
  for (const cases of Object.values(only)) {
    expect(everywhere.length + cases.length).toBeGreaterThan(60)
  }
})
