import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../config/index.ts'
import { terminalFlags, toTerminalConfig } from './terminal-config.ts'

function load(env: Record<string, string>) {
  const dataDir = join(tmpdir(), randomUUID())
  const argv = ['--data-dir', dataDir, ...terminalFlags]
  const loaded = loadConfig({ argv, env: { DATAAGENT_API_KEYS: 'k'.repeat(43), ...env } })
  if (loaded.status !== 'ok') throw new Error(JSON.stringify(loaded))
  return toTerminalConfig(loaded.config)
}

test('settings of a server for others do not reach the platform of a terminal', () => {
  const config = load({
    ...{ DATAAGENT_HOST: '0.0.0.0', DATAAGENT_PORT: '443', DATAAGENT_WORKERS: '8' },
    ...{ DATAAGENT_AUTH_DISABLED: 'true', DATAAGENT_PUBLIC_URL: 'https://agents.example' },
    ...{ DATAAGENT_TLS_CERT: '/cert', DATAAGENT_TLS_KEY: '/key', DATAAGENT_SHUTDOWN_GRACE: '60' },
  })
  expect(config).toMatchObject({
    ...{ host: '127.0.0.1', port: 0, workers: 1, auth_disabled: false, shutdown_grace: 2 },
    ...{ public_url: undefined, tls_cert: undefined, tls_key: undefined },
  })
})

test('the gateway is off unless it is asked for', () => {
  expect(load({}).gateway).toBe(false)
  expect(load({ DATAAGENT_GATEWAY: 'true' }).gateway).toBe(true)
})
