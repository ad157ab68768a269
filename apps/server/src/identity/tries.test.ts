import { AppError, createSecret } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createIdentity } from './identity.ts'
import { createPlace } from './test-identity.ts'
import { createTries } from './tries.ts'

const limited = { code: 'rate_limited', data: { retryAfterMs: expect.any(Number) } }
const chosen = 'a-key-that-somebody-chose'
const short = 'short-key'

async function exhaust(take: () => Promise<unknown>, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await take().catch(() => {})
}

test('after so many wrong keys an address is told to wait, whichever process it asks', async () => {
  await using place = await createPlace({
    sign_in_attempts: 3,
    api_keys: [chosen, short].map(createSecret),
  })
  const { key } = await place.addKey('admin')
  const options = { config: place.config, clock: place.clock, stores: () => place }
  const [one, two] = [createIdentity(options), createIdentity(options)]
  await exhaust(() => one.authenticateKey('wrong-key-of-somebody', '192.0.2.1'), 3)
  for (const identity of [one, two]) {
    const ask = (asked: string, address = '192.0.2.1') => identity.authenticateKey(asked, address)
    await expect(ask('another-wrong-key')).rejects.toMatchObject(limited)
    // Who sits at the same address keeps nobody out whose key cannot be guessed.
    await expect(ask(short)).rejects.toMatchObject(limited)
    expect((await ask(chosen)).principal.user_id).toBe('admin')
    expect((await ask(key)).principal.user_id).toBe('admin')
    expect((await ask(chosen, '192.0.2.2')).principal.user_id).toBe('admin')
  }
})

test('addresses of one IPv6 network count together', async () => {
  await using kv = createMemoryKv()
  const tries = createTries({ max: 2, clock: createFakeClock(), kv: () => kv })
  await tries.take('2001:db8:1:2::1')
  await tries.take('2001:db8:1:2:ffff::9')
  await expect(tries.take('2001:DB8:1:2:3:4:5:6')).rejects.toMatchObject(limited)
  await tries.take('2001:db8:1:3::1')
  await tries.take('::ffff:192.0.2.1')
  await tries.take('192.0.2.1')
  await expect(tries.take('192.0.2.1')).rejects.toMatchObject(limited)
})

test('with the KV away this process counts for itself, and forgets after a minute', async () => {
  const clock = createFakeClock()
  const kv = () => {
    throw new AppError('store_unavailable', 'away')
  }
  const tries = createTries({ max: 2, clock, kv })
  await exhaust(() => tries.take('192.0.2.1'), 2)
  await expect(tries.assertLeft('192.0.2.1')).rejects.toMatchObject(limited)
  await tries.assertLeft('192.0.2.2')
  clock.advance(60_000)
  await tries.assertLeft('192.0.2.1')
})
