import type { SettingsList } from '@dataagent/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyOf, people, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform()
})
afterAll(async () => server[Symbol.asyncDispose]())

test('settings say value and origin, and of secrets only whether they are set', async () => {
  const { body } = await server.ask<SettingsList>('GET', '/settings', { as: 'operator' })
  const byName = new Map(body.settings.map((setting) => [setting.name, setting]))
  expect(byName.get('workers')).toMatchObject({
    ...{ value: 1, origin: 'default', env: 'DATAAGENT_WORKERS', flag: '--workers' },
    about: { en: expect.any(String), zh: expect.any(String) },
  })
  expect(byName.get('data_dir')).toMatchObject({ origin: 'flag' })
  expect(byName.get('api_keys')?.value).toBe('set')
  expect(byName.get('redis_url')?.value).toBe('not set')
  for (const person of Object.keys(people))
    expect(JSON.stringify(body)).not.toContain(keyOf(person as keyof typeof people))
})
