import { expect, test } from 'vitest'
import { parseDatabaseUrl } from './database-url.ts'
import { openSql } from './open-sql.ts'

test.each([
  ['sqlite:////data/a.db', { kind: 'sqlite', path: '//data/a.db' }],
  ['sqlite:///data/a%20b.db', { kind: 'sqlite', path: '/data/a b.db' }],
  ['sqlite:a.db', { kind: 'sqlite', path: 'a.db' }],
  ['sqlite::memory:', { kind: 'sqlite', path: ':memory:' }],
  ['mysql://u:p@h:3306/db', { kind: 'mysql', url: 'mysql://u:p@h:3306/db' }],
  ['mysql+pymysql://u:p@h/db', { kind: 'mysql', url: 'mysql://u:p@h/db' }],
  ['MariaDB://h/db', { kind: 'mysql', url: 'mysql://h/db' }],
  [
    'postgresql+psycopg2://h/db?sslmode=require',
    { kind: 'postgres', url: 'postgres://h/db?sslmode=require' },
  ],
])('reads %s', (text, target) => {
  expect(parseDatabaseUrl(text)).toEqual(target)
})

test.each([
  '',
  'oracle://h/db',
  'mysql://',
  'mysql://h',
  'mysql:h/db',
  'mysql://h:x/db',
  'sqlite:',
])('refuses %j and does not repeat it', (text) => {
  expect(() => parseDatabaseUrl(text)).toThrow(/the database URL is not valid/)
})

test('a store in memory works and forgets', async () => {
  await using store = openSql({ url: 'sqlite::memory:' })
  await store.migrate()
  expect(await store.settings.setIfAbsent('a', '1')).toBe('1')
  await using other = openSql({ url: 'sqlite::memory:' })
  await other.migrate()
  expect(await other.settings.get('a')).toBeUndefined()
})
