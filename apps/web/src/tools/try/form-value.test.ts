import type { JsonObject } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import { emptyValue, type FormValue, readForm, toValue } from './form-value.ts'
import { toForm } from './schema-field.ts'

const schema: JsonObject = {
  type: 'object',
  required: ['name', 'lines'],
  properties: {
    name: { type: 'string', description: 'Who' },
    count: { type: 'integer', default: 3 },
    price: { type: ['number', 'null'] },
    urgent: { type: 'boolean' },
    status: { enum: ['new', 'paid', 7] },
    tags: { type: 'array', items: { type: 'string' } },
    lines: { type: 'array', items: { $ref: '#/$defs/line' } },
    where: {
      anyOf: [{ type: 'object', properties: { city: { type: 'string' } } }, { type: 'null' }],
    },
    filter: { type: 'object', additionalProperties: true },
    either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
  $defs: {
    line: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, more: { $ref: '#/$defs/line' } },
    },
  },
}
const form = toForm(schema)
const kinds = (field: typeof form) =>
  field.kind === 'group'
    ? Object.fromEntries(field.fields.map(({ name, field: inner }) => [name, inner.kind]))
    : {}

describe('a form', () => {
  test('has a field of its kind for each property', () => {
    expect(kinds(form)).toEqual({
      ...{ name: 'text', count: 'number', price: 'number', urgent: 'boolean', status: 'choice' },
      ...{ tags: 'list', lines: 'list', where: 'group', filter: 'json', either: 'json' },
    })
  })

  test('ends where a schema refers to itself', () => {
    expect(JSON.stringify(form).length).toBeLessThan(20_000)
  })

  test.each([{}, { type: 'string' }, { properties: null }, { $ref: '#/nowhere' }, { type: 7 }])(
    'of %j is none that fails',
    (odd) => expect(() => readForm(toForm(odd as JsonObject), '')).not.toThrow(),
  )
})

describe('what is written', () => {
  const empty = emptyValue(form) as Record<string, FormValue>

  test('is left out where it is empty and need not be there; defaults are shown', () => {
    expect(readForm(form, empty).args).toEqual({ name: '', count: 3, lines: [] })
  })

  test('becomes values of their kinds, also within others', () => {
    const written = {
      ...{ ...empty, name: 'Ana', count: '12', price: '1.5', urgent: 'false', status: '2' },
      ...{ tags: ['a', 'b'], lines: [{ id: 'x', more: '' }], where: { city: 'Aix' } },
      ...{ filter: '{"fault":"json"}', either: '"text"' },
    }
    expect(readForm(form, written)).toEqual({
      faults: {},
      args: {
        ...{ name: 'Ana', count: 12, price: 1.5, urgent: false, status: 7, tags: ['a', 'b'] },
        ...{ lines: [{ id: 'x' }], where: { city: 'Aix' } },
        ...{ filter: { fault: 'json' }, either: 'text' },
      },
    })
  })

  test('that is none of its kind is named by its path', () => {
    const written = { ...empty, count: '1.5', price: 'much', filter: '{', lines: [{ more: '' }] }
    expect(readForm(form, written).faults).toEqual({
      ...{ count: 'integer', price: 'number', filter: 'json' },
    })
  })

  test('is the same after it was JSON for a while', () => {
    const args = { name: 'Ana', count: 2, status: 'paid', lines: [{ id: 'x' }] }
    expect(readForm(form, toValue(form, args)).args).toEqual(args)
  })
})
