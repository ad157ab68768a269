import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { modern, openSession, openSse } from './test-clients.ts'
import { admin, startTestGateway } from './test-gateway.ts'
import { createMovingClock } from './test-moving-clock.ts'
import { signIn } from './test-sign-in.ts'
import { startUpstream } from './test-upstream.ts'
import { ask, type Rpc, request, send, type Wire } from './test-wire.ts'

const changed = ({ method }: Rpc) => method === 'notifications/tools/list_changed'
const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }

test('clients with the same key and the same ids do not end calls of each other [E1.2] [T27]', async () => {
  const upstream = await startUpstream()
  const { workers, key: token, connect } = await startTestGateway()
  await connect({ name: 'upstream', url: upstream.url })
  const { waits } = upstream
  const call = { name: 'wait' }
  const calls = workers.flatMap(({ url }) => [
    send(`${url}/mcp`, { token, ...modern('tools/call', call) }),
    send(`${url}/mcp`, { token, ...modern('tools/call', call) }),
    send(`${url}/mcp`, { token, body: request(1, 'tools/call', call) }),
  ])
  for (const one of calls) one.catch(() => {})
  await waitFor(() => waits.running === 6)
  for (const { url } of workers) {
    const { headers } = modern('notifications/cancelled')
    expect((await send(`${url}/mcp`, { token, body: cancel })).status).toBe(202)
    expect((await send(`${url}/mcp`, { token, headers, body: cancel })).status).toBe(202)
    const { headers: session } = await openSession(url, token)
    expect((await send(`${url}/mcp`, { token, headers: session, body: cancel })).status).toBe(202)
  }
  // Whatever was going to be told to the server is told before this is answered.
  await ask(`${workers[1].url}/mcp`, { token, body: request(2, 'tools/call', { name: 'say' }) })
  await ask(`${workers[0].url}/mcp`, { token, body: request(2, 'tools/call', { name: 'say' }) })
  expect(waits.cancelled).toBe(0)
})

test('streams of a key that was revoked are told nothing more [E3.1][E6.1] [T27]', async () => {
  const clock = createMovingClock()
  const { workers, key } = await startTestGateway({ clock })
  const [{ url, gateway }] = workers
  const { groups } = gateway
  const { access_token } = await signIn(url, { key })
  const waiting: Wire[] = []
  const posted: Wire[] = []
  for (const token of [key, access_token]) {
    const { headers } = await openSession(url, token)
    const wanted = { notifications: { toolsListChanged: true } }
    waiting.push(await send(`${url}/mcp`, { method: 'GET', token, headers }))
    waiting.push(await send(`${url}/mcp`, { token, ...modern('subscriptions/listen', wanted) }))
    posted.push((await openSse(url, token)).stream)
  }
  const change = (tool: string) =>
    groups.update(admin, 'all', { tools: [{ server_id: '*', tool }] })
  await change('no_such')
  await Promise.all([...waiting, ...posted].map(({ until }) => until(changed)))
  const told = () => [...waiting, ...posted].map(({ messages }) => messages.filter(changed).length)
  const before = told()
  await groups.revokeKey(admin, 'all')
  await change('*')
  await Promise.all(waiting.map(({ ended }) => ended))
  expect(told()).toEqual(before)
})

test('a stream on which nothing happens ends with the key that opened it [E3.1] [T27]', async () => {
  const clock = createMovingClock()
  const { workers, key: token } = await startTestGateway({ clock })
  const [{ url, gateway }] = workers
  const { headers } = await openSession(url, token)
  const stream = await send(`${url}/mcp`, { method: 'GET', token, headers })
  clock.advance(15_001)
  await waitFor(() => stream.comments.length === 1)
  await gateway.groups.revokeKey(admin, 'all')
  clock.advance(15_001)
  await stream.ended
})
