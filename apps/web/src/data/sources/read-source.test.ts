import { dataSourceCreateSchema } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { readLocation, type SourceFields, toFields } from './read-source.ts'

const fields: SourceFields = {
  ...toFields(undefined),
  ...{ name: 'shop', host: ' db ', port: '5433', database: 'shop', user: 'reader' },
  ...{ password: ' secret ', path: '/srv/shop' },
}

test.each([
  ['files', { kind: 'files', folder: '/srv/shop' }],
  ['duckdb', { kind: 'duckdb', path: '/srv/shop' }],
  ['sqlite', { kind: 'sqlite', path: '/srv/shop' }],
  [
    'postgres',
    {
      ...{ kind: 'postgres', host: 'db', port: 5433, database: 'shop', user: 'reader' },
      password: ' secret ',
    },
  ],
] as const)('a source of kind %s is told by what reaches it alone', (kind, location) => {
  expect(readLocation({ ...fields, kind })).toEqual(location)
})

test('an address stands alone, as the server wants it', () => {
  const location = readLocation({ ...fields, kind: 'mysql', by: 'url', url: 'mysql://u:p@h/d' })
  expect(location).toEqual({ kind: 'mysql', url: 'mysql://u:p@h/d' })
  expect(dataSourceCreateSchema.safeParse({ name: 'shop', location }).success).toBe(true)
})
