import { parseAs, serverConfigSchema } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { people } from '../testing/test-platform.ts'
import { toTestServer, usualScope } from './servers-test.ts'

const config = parseAs(serverConfigSchema, { name: 'x', url: 'https://a.example' }, 'server')

test('a server is tested as the caller would add it, where nobody says for whom', () => {
  expect(toTestServer(people.boss, usualScope(people.boss), config).user_id).toBeNull()
  expect(toTestServer(people.ada, usualScope(people.ada), config).user_id).toBe('ada')
})

test('who may not test for others is told what to send', () => {
  expect(() => toTestServer(people.ada, 'tenant', config)).toThrow('use user')
})
