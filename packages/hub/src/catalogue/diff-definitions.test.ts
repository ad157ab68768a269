import { expect, test } from 'vitest'
import { diffDefinitions } from './diff-definitions.ts'

const before = {
  name: 'pay',
  description: 'Pays.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' }, n: {} }, required: ['n'] },
}

test('names each field that differs by its path', () => {
  const properties = { path: { type: 'number' }, extra: { type: 'string' } }
  const after = {
    ...before,
    title: 'Pay',
    inputSchema: { type: 'object', properties, required: ['n', 'path'] },
  }
  expect(diffDefinitions(before, after)).toEqual([
    { path: 'inputSchema.properties.path.type', before: 'string', after: 'number' },
    { path: 'inputSchema.properties.n', before: {}, after: undefined },
    { path: 'inputSchema.properties.extra', before: undefined, after: { type: 'string' } },
    { path: 'inputSchema.required', before: ['n'], after: ['n', 'path'] },
    { path: 'title', before: undefined, after: 'Pay' },
  ])
})

test('the same, in another order, has no difference', () => {
  const reversed = Object.fromEntries(Object.entries(before).reverse()) as typeof before
  expect(diffDefinitions(before, reversed)).toEqual([])
  expect(diffDefinitions(before, structuredClone(before))).toEqual([])
})

test('a field named as what every object has is a field', () => {
  const properties = { constructor: { type: 'string' } }
  const after = { ...before, inputSchema: { type: 'object', properties } }
  const paths = diffDefinitions(
    { ...before, inputSchema: { type: 'object', properties: {} } },
    after,
  )
  expect(paths).toMatchObject([{ path: 'inputSchema.properties.constructor', before: undefined }])
})
