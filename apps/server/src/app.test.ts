import { expect, test } from 'vitest'
import { createTestApp } from './testing/test-app.ts'

const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }

async function seenBehind(trusted_proxies: string[], remoteAddress: string) {
  await using server = await createTestApp({
    config: { trusted_proxies },
    extend: (app) =>
      void app.get('/x', { config: { access: 'public' } }, async ({ ip, protocol }) => ({
        ip,
        protocol,
      })),
  })
  return (await server.app.inject({ url: '/x', headers: forwarded, remoteAddress })).json()
}

test('a trusted proxy says who calls and how', async () => {
  const seen = { ip: '203.0.113.9', protocol: 'https' }
  expect(await seenBehind(['10.0.0.0/8'], '10.1.2.3')).toEqual(seen)
  expect(await seenBehind(['loopback'], '127.0.0.1')).toEqual(seen)
})

test.each([
  [[], '127.0.0.1'],
  [['10.0.0.0/8'], '192.0.2.1'],
])('with %j trusted, what %s forwards is ignored', async (trusted, address) => {
  expect(await seenBehind(trusted, address)).toEqual({ ip: address, protocol: 'http' })
})
