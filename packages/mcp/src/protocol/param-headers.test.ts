import { expect, test } from 'vitest'
import { findParamHeaders, toParamHeaders } from './param-headers.ts'

const text = (name: unknown) => ({ type: 'string', 'x-mcp-header': name })
const schema = (properties: Record<string, unknown>, rest: object = {}) => ({
  type: 'object',
  properties,
  ...rest,
})

function headersOf(inputSchema: unknown, args: Record<string, unknown>) {
  const found = findParamHeaders(inputSchema)
  if (found.status === 'invalid') throw new Error(found.reason)
  return toParamHeaders(found.headers, args)
}

test('annotated arguments go into headers, however deep below properties', () => {
  const inputSchema = schema({
    region: text('Region'),
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    where: schema({ dry: { type: 'boolean', 'x-mcp-header': 'Dry' } }),
    query: { type: 'string' },
  })
  const args = { region: 'us-west1', count: -7, where: { dry: false }, query: 'q' }
  expect(headersOf(inputSchema, args)).toEqual({
    'Mcp-Param-Region': 'us-west1',
    'Mcp-Param-Count': '-7',
    'Mcp-Param-Dry': 'false',
  })
})

test('a value that is not there, null or of another kind gives no header', () => {
  const inputSchema = schema({
    a: text('A'),
    b: text('B'),
    c: text('C'),
    d: schema({ e: text('E') }),
  })
  const args = { a: null, b: { x: 1 }, c: 2 ** 60, d: 'flat' }
  expect(headersOf(inputSchema, args)).toBeUndefined()
  expect(headersOf(schema({ toString: text('T') }), {})).toBeUndefined()
})

test.each([
  ['us west', 'us west'],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
  ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
])('%j is sent as %j', (value, header) => {
  expect(headersOf(schema({ a: text('A') }), { a: value })).toEqual({ 'Mcp-Param-A': header })
})

test.each([
  ['an empty name', schema({ a: text('') })],
  ['a name with a space', schema({ a: text('a b') })],
  ['a name with a colon', schema({ a: text('a:b') })],
  ['a name with a line break', schema({ a: text('a\r\nX-Evil: 1') })],
  ['a name beyond ASCII', schema({ a: text('Größe') })],
  ['a name that is no text', schema({ a: text(7) })],
  ['the same name twice', schema({ a: text('A'), b: text('A') })],
  [
    'the same name in another case',
    schema({ a: text('Region'), b: schema({ c: text('REGION') }) }),
  ],
  ['a number', schema({ a: { type: 'number', 'x-mcp-header': 'A' } })],
  ['an object', schema({ a: { ...schema({}), 'x-mcp-header': 'A' } })],
  ['no type', schema({ a: { 'x-mcp-header': 'A' } })],
  ['the root', schema({}, { 'x-mcp-header': 'A' })],
  ['items', schema({ a: { type: 'array', items: text('A') } })],
  ['a branch', schema({}, { anyOf: [schema({ a: text('A') })] })],
  ['a condition', schema({}, { if: schema({ a: text('A') }) })],
  ['a definition', schema({}, { $defs: { a: text('A') } })],
  ['a pattern', schema({}, { patternProperties: { '^a': text('A') } })],
])('an annotation on %s spoils the tool', (_, inputSchema) => {
  expect(findParamHeaders(inputSchema)).toMatchObject({ status: 'invalid' })
})

test('what only looks like an annotation is none', () => {
  const inputSchema = schema(
    { 'x-mcp-header': { type: 'string' }, a: { type: 'object', default: { 'x-mcp-header': 1 } } },
    { examples: [{ 'x-mcp-header': 'A' }] },
  )
  expect(findParamHeaders(inputSchema)).toEqual({ status: 'ok', headers: [] })
  for (const none of [undefined, null, true, 'text', []]) {
    expect(findParamHeaders(none)).toEqual({ status: 'ok', headers: [] })
  }
})
