import { longCount } from '@dataagent/testkit'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createExplain } from './explain.ts'
import { createValidator } from './validator.ts'

const names = ['a', 'b', 'c', 'x y']
const scalars = fc.oneof(
  fc.constantFrom<unknown>(0, 1, 2, 1.5, -1, '', 'a', 'ab', 'abc', '😀', null, true, false),
  fc.integer({ min: -3, max: 12 }),
)

const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))

const count = fc.integer({ min: 0, max: 3 })
const { schema: schemas } = fc.letrec<{ schema: unknown }>((tie) => {
  const several = fc.array(tie('schema'), { minLength: 1, maxLength: 3 })
  const fields = fc.dictionary(fc.constantFrom(...names), tie('schema'), {
    maxKeys: 3,
    noNullPrototype: true,
  })
  const keywords = {
    type: fc.oneof(
      fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object'),
      fc.constant(['string', 'null']),
      fc.constant(['array', 'object']),
    ),
    enum: fc.array(scalars, { minLength: 1, maxLength: 3 }),
    const: scalars,
    minimum: fc.integer({ min: -2, max: 3 }),
    exclusiveMaximum: fc.integer({ min: -2, max: 3 }),
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minLength: count,
    maxLength: count,
    pattern: fc.constantFrom('^a', 'b$', '^[a-c]+$', '\\d'),
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
    items: tie('schema'),
    prefixItems: several,
    contains: tie('schema'),
    minProperties: count,
    maxProperties: count,
    required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
    properties: fields,
    patternProperties: fields.map((map) => ({ '^[ab]$': Object.values(map)[0] ?? true })),
    additionalProperties: tie('schema'),
    propertyNames: fc.constantFrom({ maxLength: 1 }, { pattern: '^a' }, true),
    dependentRequired: fc.constantFrom({ a: ['b'] }, { b: ['a', 'x y'] }),
    dependentSchemas: fields,
    allOf: several,
    anyOf: several,
    oneOf: several,
    not: tie('schema'),
    if: tie('schema'),
    // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
    then: tie('schema'),
    else: tie('schema'),
    $ref: fc.constant('#/$defs/d'),
  }
  const parts = Object.entries(keywords).map(([name, made]) =>
    (made as fc.Arbitrary<unknown>).map((value) => ({ [name]: value })),
  )
  const object = fc
    .array(fc.oneof(...parts), { maxLength: 3 })
    .map((some) => Object.assign({}, ...some) as object)
  return { schema: fc.oneof({ maxDepth: 3 }, fc.boolean(), object) }
})

const plainOptions = {
  strict: false,
  allErrors: true,
  ownProperties: true,
  meta: false,
  validateSchema: false,
}

const validator = createValidator()
afterAll(() => validator.close())

test('verdicts are those of the plain compiler, and what is found is found only where it fails', async () => {
  let key = 0
  let unexplained = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(
      schemas,
      schemas,
      fc.array(values, { minLength: 4, maxLength: 4 }),
      async (root, target, some) => {
        const $defs = { d: withoutReferences(target) }
        const schema = { allOf: [root], $defs } as never
        const plainCompiler = new Ajv2020(plainOptions)
        plainCompiler.opts.unevaluated = false
        const plain = plainCompiler.compile(schema)
        const explain = createExplain(schema)
        key += 1
        for (const value of some) {
          const validation = await validator.validate(`${key}`, schema, value)
          expect(validation.status).toBe(plain(value) ? 'ok' : 'invalid')
          const found = explain(value)
          if (validation.status === 'ok') expect(found).toEqual([])
          if (validation.status === 'invalid') {
            refused += 1
            expect(validation.errors.length).toBeGreaterThan(0)
            expect(validation.errors.length).toBeLessThanOrEqual(20)
            if (found.length === 0) unexplained += 1
          }
        }
      },
    ),
    { numRuns: longCount(250, 20_000) },
  )
  console.log(
    `of ${refused} values that do not fit, ${unexplained} are told in the compiler's words`,
  )
  expect(unexplained).toBeLessThanOrEqual(refused / 20)
})

function withoutReferences(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value) => (key === '$ref' ? undefined : value))
}
