import { expect, test } from 'vitest'
import { toTable } from './tables.ts'

const json = '{"columns":["n"],"rows":[{"n":42}]}'

test.each([
  ['as such', { columns: [{ name: 'n' }], rows: [[42]] }],
  ['as structured content', { content: [], structuredContent: { columns: ['n'], rows: [[42]] } }],
  ['as text', json],
  ['as a part of text', { content: [{ type: 'text', text: json }] }],
])('a tool gives its rows %s', (_, result) => {
  expect(toTable(result)).toEqual({ columns: ['n'], rows: [[42]] })
})

test.each([['42 rows'], [{ content: [{ type: 'text', text: '"rows" of "columns"' }] }], [null]])(
  '%j is no table',
  (result) => {
    expect(toTable(result)).toBeUndefined()
  },
)
