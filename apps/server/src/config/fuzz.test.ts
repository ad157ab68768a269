import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { longCount, playMutated, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { loadConfig } from './load.ts'

const secret = 'hush-hush-hush'
const key = 'a-key-of-good-length-1'
const samples = [
  JSON.stringify({ port: 9001, workers: 2, session_timeout: 60, lang: 'zh' }),
  JSON.stringify({ host: '127.0.0.1', cors_origins: ['https://a.example'], log_level: 'info' }),
  JSON.stringify({ api_keys: [`${key}1`, `user=ada;role=admin;key=${key}2`] }),
  JSON.stringify({
    multi_tenant: true,
    allowed_addresses: ['10.0.0.0/8'],
    public_url: 'https://a.example',
  }),
  JSON.stringify({ session_store: 'postgres', database_url: `postgres://u:${secret}@db/x` }),
  '{}',
]
const count = longCount(500, 1_000_000)

test(`each of ${count} mutated files of settings is taken whole or refused by name [T16, T17]`, async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'settings.json')
  const input = { argv: [], env: { DATAAGENT_CONFIG: path }, sharedDir: '/does/not/exist' }
  const seen = { ok: 0, invalid: 0 }
  await playMutated({ samples, count }, (text) => {
    writeFileSync(path, text, { mode: 0o600 })
    const loaded = loadConfig(input)
    if (loaded.status === 'ok') {
      seen.ok += 1
      expect(Object.isFrozen(loaded.config)).toBe(true)
      expect(Object.getPrototypeOf(loaded.config)).toBe(Object.prototype)
    } else {
      expect(loaded.status).toBe('invalid')
      seen.invalid += 1
      const { message } = loaded as { message: string }
      expect(message.length).toBeLessThan(100_000)
      expect(message).not.toMatch(/[\p{Cf}\u2028\u2029]|(?!\n)\p{Cc}/u)
      if (!isNamedAsSetting(text)) expect(message).not.toContain(secret)
    }
    // One that went wrong leaves nothing to the next.
    writeFileSync(path, '{"port":9001}')
    expect(loadConfig(input)).toMatchObject({ status: 'ok', config: { port: 9001 } })
  })
  expect(seen.ok).toBeGreaterThan(count / 50)
  expect(seen.invalid).toBeGreaterThan(count / 10)
}, 3_600_000)

/** Where a key, or a plain text that is no address, has it: nobody could know it for a secret. */
function isNamedAsSetting(text: Buffer): boolean {
  try {
    const entries = Object.entries(JSON.parse(text.toString()) as object)
    return entries.some(([name, value]) => {
      const plain = `${name} ${typeof value === 'string' ? value : ''}`
      return plain.replaceAll(/\/\/[^/@\s]*@/g, '').includes(secret)
    })
  } catch {
    return false
  }
}
