import { expect, test } from 'vitest'
import { loadConfig } from '../config/index.ts'
import { isTrial } from './is-trial.ts'

const isTrialWith = (env: Record<string, string>) => {
  const loaded = loadConfig({ argv: ['--data-dir', '/tmp/none'], env })
  if (loaded.status !== 'ok') throw new Error(loaded.status === 'invalid' ? loaded.message : '')
  return isTrial(loaded.config)
}

test.each([{}, { DATAAGENT_PORT: '9000' }, { DATAAGENT_AUTH_DISABLED: 'true' }])(
  'one who tries it out sets no more than %j',
  (env) => expect(isTrialWith(env)).toBe(true),
)

test.each([
  { DATAAGENT_API_KEYS: 'key-of-the-operator-0123456789' },
  { DATAAGENT_WORKERS: '2' },
  { DATAAGENT_SESSION_STORE: 'mysql' },
  { DATABASE_URL: 'postgres://user:password@host/database' },
  { DATAAGENT_SESSION_STORE: 'memory' },
  { REDIS_URL: 'redis://host' },
  { DATAAGENT_MULTI_TENANT: 'true' },
  { DATAAGENT_PUBLIC_URL: 'https://agent.example' },
])('with %j it is set up for others', (env) => expect(isTrialWith(env)).toBe(false))
