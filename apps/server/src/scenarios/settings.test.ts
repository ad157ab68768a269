import type { SettingsList } from '@dataagent/schema'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { runServer, type ServerProcess } from '../testing/test-server.ts'

const key = 'key-of-the-operator-0123456789'

/** Values and origins of these settings, as the running server tells them. */
async function shownBy(server: ServerProcess, names: string[], apiKey = key) {
  const headers = { 'x-api-key': apiKey }
  const list = await waitFor(
    async () => {
      const response = await server.get('/api/v1/settings', headers)
      return response.ok ? ((await response.json()) as SettingsList) : undefined
    },
    { timeoutMs: 30_000, what: 'settings' },
  )
  const found = list.settings.filter(({ name }) => names.includes(name))
  return Object.fromEntries(found.map(({ name, value, origin }) => [name, [value, origin]]))
}

test('the environment sets what the server does, and a flag goes before it [D20.1] [D20.2] [D20.3]', async () => {
  await using directory = await temporaryDirectory()
  await using server = runServer({
    dataDir: directory.path,
    args: ['--host', '127.0.0.1', '--session-timeout', '7200'],
    env: {
      DATAAGENT_HOST: 'localhost',
      DATAAGENT_API_KEYS: `${key},other-key-0123456789abcdef`,
      DATAAGENT_CORS_ORIGINS: 'https://a.example,https://b.example',
      DATAAGENT_SESSION_TIMEOUT: '1800',
    },
  })
  const names = ['host', 'port', 'api_keys', 'cors_origins', 'session_timeout']
  expect(await shownBy(server, names)).toEqual({
    host: ['127.0.0.1', 'flag'],
    port: [0, 'env'],
    api_keys: ['set', 'env'],
    cors_origins: [['https://a.example', 'https://b.example'], 'env'],
    session_timeout: [7200, 'flag'],
  })
  expect(new URL(await server.url()).hostname).toBe('127.0.0.1')
  const headers = { origin: 'https://b.example', 'x-api-key': 'other-key-0123456789abcdef' }
  const response = await server.get('/api/v1/me', headers)
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
    200,
    'https://b.example',
  ])
})

test('nothing need be set: a first key is made, and the defaults hold [D20.4] [D20.2]', async () => {
  await using directory = await temporaryDirectory()
  await using server = runServer({ dataDir: directory.path })
  const names = ['host', 'workers', 'cors_origins', 'session_timeout', 'session_store']
  expect(await shownBy(server, names, await server.shownKey())).toEqual({
    host: ['127.0.0.1', 'default'],
    workers: [1, 'default'],
    cors_origins: [[], 'default'],
    session_timeout: [3600, 'default'],
    session_store: ['sqlite', 'default'],
  })
})
