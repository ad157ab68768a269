import { expect, test } from 'vitest'
import { rank, toInserted, tokenAt } from './completion.ts'

test.each([
  ['/', { kind: 'command', text: '', before: '' }],
  ['/mc', { kind: 'command', text: 'mc', before: '' }],
  ['  /mc', { kind: 'command', text: 'mc', before: '' }],
  ['/mcp ', { kind: 'argument', text: '', before: 'mcp' }],
  ['/mcp li', { kind: 'argument', text: 'li', before: 'mcp' }],
  ['/mcp test or', { kind: 'argument', text: 'or', before: 'mcp test' }],
  ['look at @src/ma', { kind: 'mention', text: 'src/ma', before: '' }],
  ['@orders.que', { kind: 'mention', text: 'orders.que', before: '' }],
  ['/export @re', { kind: 'mention', text: 're', before: '' }],
  ['看看@订', { kind: 'mention', text: '订', before: '' }],
  ['（@销售', { kind: 'mention', text: '销售', before: '' }],
  ['open @"my fi', { kind: 'mention', text: 'my fi', before: '' }],
])('of %j, what is typed at the end is completed', (line, query) => {
  expect(tokenAt([line], 0, line.length)?.query).toEqual(query)
})

test.each([
  'hello',
  '/usr/bin is full',
  'me@example.com',
  '@done, then',
  'either/or',
  'a @"quoted" word',
])('of %j, nothing is', (line) => {
  expect(tokenAt([line], 0, line.length)).toBeUndefined()
})

test('a slash begins a command in the first line only', () => {
  expect(tokenAt(['first', '/he'], 1, 3)).toBeUndefined()
})

test('what stands behind the cursor does not count', () => {
  expect(tokenAt(['@sr and more'], 0, 3)?.query.text).toBe('sr')
})

test('names with blanks are quoted, folders stay open, all else ends with a blank', () => {
  const bare = tokenAt(['@a'], 0, 2)!
  const quoted = tokenAt(['@"a'], 0, 3)!
  expect(toInserted(bare, 'a.ts')).toBe('@a.ts ')
  expect(toInserted(bare, 'my file.ts')).toBe('@"my file.ts" ')
  expect(toInserted(bare, 'src/')).toBe('@src/')
  expect(toInserted(quoted, 'src/')).toBe('@"src/')
  expect(toInserted(tokenAt(['/h'], 0, 2)!, 'help')).toBe('/help ')
})

test('what is typed in full is first, then beginnings, words, parts, and letters apart', () => {
  const names = ['some_orders', 'reorders', 'o_r_d', 'orders_old', 'ord', 'x']
  expect(rank(names, 'ord', (name) => name)).toEqual([
    'ord',
    'orders_old',
    'some_orders',
    'reorders',
    'o_r_d',
  ])
})

test('capitals do not matter, and an empty text keeps all as they are', () => {
  expect(rank(['listTools', 'x'], 'LT', (name) => name)).toEqual(['listTools'])
  expect(rank(['b', 'a'], ' ', (name) => name)).toEqual(['b', 'a'])
})
