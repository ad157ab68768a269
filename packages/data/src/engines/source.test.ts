import { createSecret } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { toServer } from './source.ts'

function parse(url: string) {
  const server = toServer(url.startsWith('m') ? 'mysql' : 'postgres', { url: createSecret(url) })
  return { ...server, password: server.password.reveal() }
}

test('a URL is read to its fields, with the usual port', () => {
  expect(parse('postgresql://us%40er:p%2Fw@[::1]/db%20x?sslmode=verify-full')).toEqual({
    ...{ host: '::1', port: 5432, user: 'us@er', password: 'p/w', database: 'db x', ssl: 'on' },
  })
  expect(parse('mysql://root@db.example:3307/shop?ssl-mode=REQUIRED')).toEqual({
    ...{ host: 'db.example', port: 3307, user: 'root', password: '', database: 'shop' },
    ssl: 'unchecked',
  })
})

test.each([
  'mysql://canary',
  'mysql:///canary',
  'mysql://canary@host/',
  'mysql://u:canary%zz@host/db',
  'mysql://u:canary@host/db?ssl=perhaps',
  'mongodb://u:canary@host/db',
])('%s cannot be read, and is not repeated', (url) => {
  expect(() => parse(url)).toThrow(expect.objectContaining({ code: 'config_invalid' }))
  expect(() => parse(url)).not.toThrow(/canary/)
})
