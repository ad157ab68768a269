import type { JsonObject } from '@dataagent/schema'
import { createFakeClock } from '@dataagent/testkit'
import { afterAll, describe, expect, test } from 'vitest'
import { createValidator } from './validator.ts'

const validator = createValidator()
afterAll(() => validator.close())

let keys = 0
function validate(schema: unknown, value: unknown) {
  keys += 1
  return validator.validate(`key ${keys}`, schema as JsonObject, value)
}

async function errorsOf(schema: unknown, value: unknown) {
  const validation = await validate(schema, value)
  return validation.status === 'invalid' ? validation.errors : validation
}

const orderInput = {
  type: 'object',
  properties: {
    orderId: { type: 'string', description: 'order number' },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    status: { enum: ['open', 'paid', 'sent'] },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
    },
    password: { type: 'string', minLength: 12 },
    pin: { type: 'string' },
  },
  required: ['orderId'],
  additionalProperties: false,
}

describe('arguments of a call', () => {
  test('that fit are ok at once, without a promise', () => {
    expect(validate(orderInput, { orderId: 'A-1', limit: 3 })).toEqual({ status: 'ok' })
  })

  test('without the required orderId are refused by name, expected and got [A3.1]', async () => {
    expect(await errorsOf(orderInput, {})).toEqual([
      { path: 'orderId', expected: 'a string (order number)', got: 'nothing' },
    ])
  })

  test('with orderId 42 are refused by name, expected and got [A3.1]', async () => {
    expect(await errorsOf(orderInput, { orderId: 42 })).toEqual([
      { path: 'orderId', expected: 'a string (order number)', got: '42 (a number)' },
    ])
  })

  test.each([
    [{ orderId: 'a', limit: 0 }, 'limit', 'an integer, at least 1', '0 (a number)'],
    [{ orderId: 'a', limit: 1.5 }, 'limit', 'an integer', '1.5 (a number)'],
    [{ orderId: 'a', status: 'lost' }, 'status', '"open" | "paid" | "sent"', '"lost"'],
    [{ orderId: 'a', lines: [{ sku: 'x' }, {}] }, 'lines[1].sku', 'a string', 'nothing'],
    [{ orderId: 'a', lines: 'x' }, 'lines', 'an array of objects', 'a string of 1 character'],
    [
      { orderId: 'a', order_id: 1 },
      'order_id',
      'no such field; did you mean orderId?',
      '1 (a number)',
    ],
    [{ orderId: null }, 'orderId', 'a string (order number)', 'null'],
    [{ orderId: ['a', 'b'] }, 'orderId', 'a string (order number)', 'an array of 2'],
    [[], '', 'an object with orderId', 'an empty array'],
    [undefined, '', 'JSON value', 'nothing'],
  ])('%j: %s', async (value, path, expected, got) => {
    expect(await errorsOf(orderInput, value)).toEqual([{ path, expected, got }])
  })

  test('that are unknown and like nothing are told what there is', async () => {
    const [error] = (await errorsOf(orderInput, { orderId: 'a', 'x y': true })) as never[]
    expect(error).toMatchObject({ path: '["x y"]', got: 'true (a boolean)' })
    expect(error).toHaveProperty('expected', expect.stringContaining('there are orderId, limit'))
  })

  test('are all told of, up to 20 [A3.1]', async () => {
    const required = Array.from({ length: 50 }, (_, index) => `field${index}`)
    expect(await errorsOf({ type: 'object', required }, {})).toHaveLength(20)
  })

  test('are not repeated where they may be secrets', async () => {
    const value = { orderId: 'a', password: 'hunter2', pin: 1234, status: 'sk-canary-0123456789' }
    const text = JSON.stringify(await errorsOf(orderInput, value))
    expect(text).toContain('a string of 7 characters')
    expect(text).not.toMatch(/hunter2|1234|canary/)
  })
})

test('a result without a field of its output schema is told of [A3.2]', async () => {
  const output = {
    type: 'object',
    properties: {
      order: { type: 'object', required: ['total'], properties: { total: { type: 'number' } } },
    },
    required: ['order'],
  }
  expect(await errorsOf(output, { order: {} })).toEqual([
    { path: 'order.total', expected: 'a number', got: 'nothing' },
  ])
  expect(await errorsOf(output, { order: { total: '12' } })).toEqual([
    { path: 'order.total', expected: 'a number', got: 'a string of 2 characters' },
  ])
})

describe('a value that fits no branch', () => {
  const shapes = {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
        required: ['kind', 'radius'],
      },
      {
        type: 'object',
        properties: { kind: { const: 'square' }, side: { type: 'number' } },
        required: ['kind', 'side'],
      },
    ],
  }

  test('is held against the one that its fixed field names', async () => {
    expect(await errorsOf(shapes, { kind: 'square', radius: 1 })).toEqual([
      { path: 'side', expected: 'a number', got: 'nothing' },
    ])
  })

  test('whose fixed field names none is told which there are', async () => {
    expect(await errorsOf(shapes, { kind: 'line' })).toEqual([
      { path: 'kind', expected: '"circle" | "square"', got: '"line"' },
    ])
  })

  test('is told of the kinds that may be, where it is none of them', async () => {
    const schema = { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }
    expect(await errorsOf(schema, true)).toEqual([
      { path: '', expected: 'a string or an integer or null', got: 'true (a boolean)' },
    ])
  })

  test('is held against the nearest, when others are of another kind', async () => {
    const schema = {
      anyOf: [{ type: 'null' }, { $ref: '#/$defs/order' }],
      $defs: { order: orderInput },
    }
    expect(await errorsOf(schema, { orderId: 1 })).toEqual([
      { path: 'orderId', expected: 'a string (order number)', got: '1 (a number)' },
    ])
  })

  test('that fits two of oneOf is told so', async () => {
    const schema = { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 2 }] }
    expect(await errorsOf(schema, 3)).toEqual([
      { path: '', expected: 'only one of: an integer, a number', got: '3 (a number)' },
    ])
  })
})

test('a description is cut, put on one line, and shows no hidden characters', async () => {
  const description = `first\u202e line\n\u200bsecond ${'x'.repeat(200)}`
  const schema = {
    type: 'object',
    properties: { a: { type: 'string', description } },
    required: ['a'],
  }
  const [error] = (await errorsOf(schema, {})) as { expected: string }[]
  expect(error!.expected).toMatch(/^a string \(first line second x+…\)$/)
  expect(error!.expected.length).toBeLessThan(95)
})

describe('hostile values', () => {
  test('of any depth are refused and do not end the process', async () => {
    let deep: unknown = []
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(await errorsOf({}, deep)).toMatchObject([{ expected: 'at most 64 levels of nesting' }])
  })

  test('with a key __proto__ are refused [T16]', async () => {
    const value = Object.fromEntries([['__proto__', { polluted: true }]])
    expect(await errorsOf({ type: 'object' }, value)).toMatchObject([
      { expected: 'no key "__proto__"' },
    ])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test.each(['toString', 'constructor', 'hasOwnProperty'])(
    'do not inherit a field %s',
    async (name) => {
      expect(await errorsOf({ type: 'object', required: [name] }, {})).toHaveLength(1)
    },
  )
})

test.each(['toString', 'valueOf', 'constructor'])(
  'a value with a field %s is compared like others',
  (name) => {
    const value = { [name]: 0 }
    const schema = { properties: { one: { enum: [value] }, all: { uniqueItems: true } } }
    expect(validate(schema, { one: value, all: [value, {}] })).toEqual({ status: 'ok' })
    expect(validate(schema, { one: { [name]: 1 } })).toMatchObject({ status: 'invalid' })
    expect(validate(schema, { all: [value, value] })).toMatchObject({ status: 'invalid' })
  },
)

describe('a schema', () => {
  test.each([
    [
      'with a reference to the network',
      { $ref: 'http://127.0.0.1:9/s.json' },
      'nothing is fetched',
    ],
    ['with a reference to a file', { $ref: 'other.json' }, 'nothing is fetched'],
    ['of an unknown dialect', { $schema: 'https://example.com/mine' }, 'dialect'],
    ['with a type that is none', { type: 'text' }, '`type` at the top'],
    [
      'with draft-04 booleans',
      { $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true },
      'exclusiveMinimum',
    ],
    ['that leads nowhere', { $ref: '#/$defs/none' }, 'leads nowhere'],
    ['that is its own reference', { $ref: '#' }, 'without an end'],
    ['with a pattern that is none', { pattern: '(' }, 'cannot be read'],
  ])('%s is rejected with why', async (_, schema, why) => {
    expect(validator.judgeSchema(schema as never)).toMatchObject({ status: 'rejected' })
    const validation = await validate(schema, {})
    expect(validation).toEqual({ status: 'failed', message: expect.stringContaining(why) })
  })

  test('may refer to itself', async () => {
    const tree = {
      type: 'object',
      properties: { next: { $ref: '#' } },
      additionalProperties: false,
    }
    expect(validator.judgeSchema(tree)).toEqual({ status: 'plain' })
    expect(validate(tree, { next: { next: {} } })).toEqual({ status: 'ok' })
    expect(await errorsOf(tree, { next: { nex: 1 } })).toMatchObject([{ path: 'next.nex' }])
  })

  test('with an $id that another one has too is another schema', () => {
    const $id = 'https://example.com/same'
    expect(validate({ $id, type: 'string' }, 'a')).toEqual({ status: 'ok' })
    expect(validate({ $id, type: 'number' }, 1)).toEqual({ status: 'ok' })
    expect(validate({ $id, type: 'number' }, 'a')).toMatchObject({ status: 'invalid' })
  })

  test('of no dialect with a list of items is read as draft-07', async () => {
    const schema = { items: [{ type: 'string' }], additionalItems: false }
    expect(validate(schema, ['a'])).toEqual({ status: 'ok' })
    expect(await errorsOf(schema, ['a', 'b'])).toHaveLength(1)
  })

  test('is compiled once for its key, also when that fails', () => {
    const { validate } = createValidator({ clock: createFakeClock() })
    expect(validate('k', { type: 'string' }, 'a')).toEqual({ status: 'ok' })
    expect(validate('k', { type: 'number' }, 'a')).toEqual({ status: 'ok' })
    const failed = validate('bad', { $ref: 'x' }, 1)
    expect(validate('bad', {}, 1)).toBe(failed)
  })

  test('that was not used for long is forgotten', () => {
    const { validate } = createValidator({ cacheMax: 2 })
    for (const key of ['a', 'b', 'c']) void validate(key, { type: 'string' }, 'x')
    expect(validate('a', { type: 'number' }, 1)).toEqual({ status: 'ok' })
  })
})

test('the cost of a check is printed', () => {
  const value = { orderId: 'A-1', limit: 3, status: 'open' }
  const check = () => validator.validate('speed', orderInput, value)
  for (let index = 0; index < 100_000; index++) void check()
  const began = performance.now()
  for (let index = 0; index < 100_000; index++) void check()
  const each = ((performance.now() - began) * 1_000) / 100_000
  console.log(`a check of a value that fits costs ${each.toFixed(2)} µs`)
  expect(each).toBeLessThan(50)
})
