import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { openSession } from './test-clients.ts'
import { admin, startTestGateway } from './test-gateway.ts'
import { request, send } from './test-wire.ts'

/**
 * A server that goes on though a call was cancelled: it asks the question of the first call when
 * the second one has come, and answers that with what it was told.
 */
function bank(): void {
  const say = (message: object) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const calls: number[] = []
  const serverInfo = { name: 'bank', version: '1' }
  const results: Record<string, object> = {
    initialize: {
      ...{ protocolVersion: '2025-06-18', capabilities: { tools: {}, logging: {} }, serverInfo },
    },
    'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
  }
  function take(line: string): void {
    const { id, method, result } = JSON.parse(line)
    if (method === 'tools/call') call(id)
    else if (method === 'notifications/cancelled') process.stderr.write('cancelled\n')
    else if (method === undefined) answer(result)
    else if (id !== undefined) say({ id, result: results[method] ?? {} })
  }
  function call(id: number): void {
    calls.push(id)
    if (calls.length === 1) {
      process.stderr.write('at work\n')
      return
    }
    const requestedSchema = { type: 'object', properties: {} }
    const params = { message: 'Transfer the money of Alice?', requestedSchema }
    say({ method: 'notifications/message', params: { level: 'error', data: 'Alice is poor' } })
    say({ id: 'q', method: 'elicitation/create', params })
  }
  function answer(given: unknown): void {
    say({ id: calls[1], result: { content: [{ type: 'text', text: JSON.stringify(given) }] } })
  }
  let rest = ''
  process.stdin.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}

test('the question of a call whose client has left is shown to no other client [E6.1]', async () => {
  const { workers, key, logs, connect } = await startTestGateway()
  const [{ url, gateway }] = workers
  const args = ['-e', `(${bank.toString()})()`]
  const server_id = await connect({ name: 'bank', command: process.execPath, args })
  const other = await gateway.groups.create(admin, {
    ...{ group_id: 'other', name: 'Other', tools: [{ server_id: '*', tool: '*' }] },
  })
  const capabilities = { elicitation: {} }
  const open = async (token: string) => {
    const { headers } = await openSession(url, token, { capabilities })
    const post = (id: number, method: string, params: object) =>
      send(`${url}/mcp`, { token, headers, body: request(id, method, params) })
    await post(1, 'logging/setLevel', { level: 'debug' })
    return { pay: () => post(2, 'tools/call', { name: 'pay', arguments: {} }), token, headers }
  }
  const toldBy = (line: string) =>
    waitFor(() => logs.some((entry) => JSON.stringify(entry).includes(`stderr: ${line}`)))
  const [alice, bob] = [await open(key), await open(other.key)]

  const leaving = new AbortController()
  const left = fetch(`${url}/mcp`, {
    ...{ method: 'POST', signal: leaving.signal },
    headers: {
      ...{ ...alice.headers, authorization: `Bearer ${alice.token}` },
      ...{ accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    },
    body: JSON.stringify(request(2, 'tools/call', { name: 'pay', arguments: {} })),
  }).then(({ body }) => body?.cancel())
  left.catch(() => {})
  await toldBy('at work')
  leaving.abort()
  await toldBy('cancelled')

  const seen = await bob.pay()
  await seen.ended
  expect(seen.messages).toMatchObject([
    { id: 2, result: { content: [{ text: '{"action":"cancel"}' }] } },
  ])
  expect(seen.text()).not.toContain('Alice')
  const warned = logs.filter((entry) => JSON.stringify(entry).includes('shown to nobody'))
  expect(warned).toMatchObject([{ level: 'warn', server_id }])
  expect(JSON.stringify(warned)).toContain('elicitation/create')
  expect(JSON.stringify(warned)).not.toContain('Alice')
})
