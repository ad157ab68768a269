import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { modern, openSession, openSse } from './test-clients.ts'
import { admin, startTestGateway } from './test-gateway.ts'
import { createMovingClock } from './test-moving-clock.ts'
import { type SignedIn, signIn } from './test-sign-in.ts'
import { ask, request, send, type Wire } from './test-wire.ts'

const listen = modern('subscriptions/listen', { notifications: { toolsListChanged: true } })

/** One stream of each kind, on which nothing happens. */
async function openAll(url: string, token: string): Promise<Wire[]> {
  const { headers } = await openSession(url, token)
  return [
    await send(`${url}/mcp`, { token, ...listen }),
    await send(`${url}/mcp`, { method: 'GET', token, headers }),
    (await openSse(url, token)).stream,
    (await openSse(url, token, { path: '/api/v1/mcp/jsonrpc' })).stream,
  ]
}

const allEnded = (streams: Wire[]) => Promise.all(streams.map(({ ended }) => ended))

test('a key that is revoked ends its streams at once, in every process [E3.1][E6.1] [T27]', async () => {
  const { workers, key } = await startTestGateway()
  const { access_token } = await signIn(workers[0].url, { key })
  const streams = await Promise.all(
    workers.flatMap(({ url }) => [openAll(url, key), openAll(url, access_token)]),
  )
  await workers[0].gateway.groups.revokeKey(admin, 'all')
  await workers[1].hub.revisions.check()
  const begun = performance.now()
  await allEnded(streams.flat())
  expect(performance.now() - begun).toBeLessThan(5_000)
})

test('a grant that is taken back ends its streams, and no other’s [E3.1][E6.1]', async () => {
  const { workers, key } = await startTestGateway()
  const [{ url, gateway }] = workers
  const signedIn = await Promise.all(Array.from({ length: 4 }, () => signIn(url, { key })))
  const [byAdmin, byRefresh, byAccess, stays] = signedIn as [SignedIn, SignedIn, SignedIn, SignedIn]
  const gone = [byAdmin, byRefresh, byAccess]
  const streams = await Promise.all(
    gone.flatMap(({ access_token }) => workers.map((one) => openAll(one.url, access_token))),
  )
  const others = await openAll(url, stays.access_token)
  let hasEnded = false
  void Promise.race(others.map(({ ended }) => ended)).then(() => {
    hasEnded = true
  })
  const found = await gateway.tokens.introspect(byAdmin.access_token)
  const grant_id = found.active && 'session' in found ? found.session.grant_id : undefined
  const begun = performance.now()
  await gateway.tokens.revokeGrants([String(grant_id)])
  await revoke(url, byRefresh, byRefresh.refresh_token)
  await revoke(url, byAccess, byAccess.access_token)
  await allEnded(streams.flat())
  expect(performance.now() - begun).toBeLessThan(5_000)
  expect(hasEnded).toBe(false)
})

function revoke(url: string, { client_id }: SignedIn, token: string): Promise<Response> {
  const body = new URLSearchParams({ token, client_id })
  return fetch(`${url}/mcp/oauth/revoke`, { method: 'POST', body })
}

test('a key that runs out ends its streams with the next beat [E3.1]', async () => {
  const clock = createMovingClock()
  const { workers } = await startTestGateway({ clock })
  const [{ url, gateway }] = workers
  const { key } = await gateway.groups.create(admin, {
    ...{ group_id: 'short', name: 'Short', tools: [] },
    key_expires_at: clock.now() + 600_000,
  })
  const streams = await openAll(url, key)
  clock.advance(15_001)
  await waitFor(() => streams.every(({ comments }) => comments.length === 1))
  clock.advance(600_000)
  await allEnded(streams)
})

test('a stream for posts waits for the token that renews the one that has expired, or ends with its grant [E2.4]', async () => {
  const clock = createMovingClock()
  const settings = { session_ttl_seconds: 600 }
  const { workers, key } = await startTestGateway({ clock, settings })
  const [{ url, gateway }] = workers
  const { access_token, client_id, refresh_token } = await signIn(url, { key })
  const gone = await signIn(url, { key })
  const sse = await openSse(url, access_token)
  const { stream } = await openSse(url, gone.access_token)
  clock.advance(700_000)
  await waitFor(() => sse.stream.comments.length === 1 && stream.comments.length === 1)
  await revoke(url, gone, gone.refresh_token)
  await stream.ended
  const renewing = await fetch(`${url}/mcp/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id, refresh_token }),
  })
  const { access_token: renewed } = (await renewing.json()) as { access_token: string }
  await sse.post(url, request(5, 'ping'), renewed)
  await sse.stream.until(({ id }) => id === 5)
  clock.advance(700_000)
  await gateway.groups.revokeKey(admin, 'all')
  await sse.stream.ended
})

test('a session ends with its group, also where another of the same id is made [E3.1][E6.1]', async () => {
  const { workers } = await startTestGateway()
  const [{ url, gateway }] = workers
  const make = () => gateway.groups.create(admin, { group_id: 're', name: 'Re', tools: [] })
  const before = await make()
  const { headers } = await openSession(url, before.key)
  const ping = (token: string) => ask(`${url}/mcp`, { token, headers, body: request(1, 'ping') })
  expect((await ping(before.key)).status).toBe(200)
  await gateway.groups.remove(admin, 're')
  const after = await make()
  expect((await ping(after.key)).status).toBe(404)
})
