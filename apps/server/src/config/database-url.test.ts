import { createSecret } from '@dataagent/schema'
import { parseDatabaseUrl } from '@dataagent/store/sql'
import { expect, test } from 'vitest'
import { testConfig } from '../testing/test-app.ts'
import { databaseUrl } from './database-url.ts'

test('by default the database is a file in the data directory, whatever its name', () => {
  const config = testConfig({ data_dir: '/tmp/100% mine/ü' })
  const target = parseDatabaseUrl(databaseUrl(config))
  expect(target).toEqual({ kind: 'sqlite', path: '/tmp/100% mine/ü/dataagent.db' })
})

test('the MySQL settings become one address, with any password [D25.3]', () => {
  const config = testConfig({
    session_store: 'mysql',
    mysql_host: 'db.example',
    mysql_port: 3307,
    mysql_user: 'agent',
    mysql_password: createSecret('p@ss/w:rd?#%'),
    mysql_database: 'data',
  })
  const url = new URL(databaseUrl(config))
  expect(url).toMatchObject({ hostname: 'db.example', port: '3307', username: 'agent' })
  expect(decodeURIComponent(url.password)).toBe('p@ss/w:rd?#%')
  expect(parseDatabaseUrl(url.href).kind).toBe('mysql')
})

test('what is kept in memory is on no disk', () => {
  const target = parseDatabaseUrl(databaseUrl(testConfig({ session_store: 'memory' })))
  expect(target).toEqual({ kind: 'sqlite', path: ':memory:' })
})
