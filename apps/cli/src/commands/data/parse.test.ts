import { expect, test } from 'vitest'
import { parseAsked, parseSql } from './parse.ts'

test.for([
  ['', { kind: 'list' }],
  ['q12', { kind: 'show', ref: 'q12' }],
  ['Q1 --csv', { kind: 'show', ref: 'q1', save: { format: 'csv', file: 'q1.csv' } }],
  ['q1 --xlsx my file.xlsx', { save: { format: 'xlsx', file: 'my file.xlsx' } }],
  ['q1 --csv=out/a.csv', { save: { format: 'csv', file: 'out/a.csv' } }],
  ['SELECT 1', { kind: 'run', sql: 'SELECT 1', source: undefined }],
  ['--source shop SELECT 1\n-- two', { kind: 'run', sql: 'SELECT 1\n-- two', source: 'shop' }],
  ['SELECT 1 --source "my shop"', { kind: 'run', sql: 'SELECT 1', source: 'my shop' }],
  ['SELECT 1 --source\nFROM a', { kind: 'run', sql: 'SELECT 1 --source\nFROM a' }],
  ['select quantity from q1', { kind: 'run', sql: 'select quantity from q1' }],
] as const)('/sql %s', ([args, asked]) => {
  expect(parseSql(args)).toMatchObject(asked)
})

test.for(['q1 --pdf', 'q1 what', '--source', '--sorce shop SELECT 1'])(
  '/sql %s is nothing',
  (args) => {
    expect(parseSql(args)).toBeUndefined()
  },
)

test('a chart is asked for by the number of its query', () => {
  expect(parseAsked('q3 --svg a.svg', ['svg', 'html'])).toEqual({
    ...{ ref: 'q3', save: { format: 'svg', file: 'a.svg' } },
  })
  expect(parseAsked('', ['svg'])).toBeUndefined()
})
