import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { defineTool } from '@dataagent/hub'
import { waitFor } from '@dataagent/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { modern, openSession, openSse } from './test-clients.ts'
import { admin, startTestGateway, type TestGateway, type TestWorker } from './test-gateway.ts'
import { signIn } from './test-sign-in.ts'
import { ask, type Rpc, request } from './test-wire.ts'

const invalid = 'Invalid API Key or OAuth Token'
const seedPath = '/api/v1/mcp/jsonrpc'

/** A gateway with a tool that a person must approve, and what it has erased. */
async function setUp(): Promise<TestGateway & { erased: string[] }> {
  const erased: string[] = []
  const erase = defineTool({
    ...{ name: 'erase', description: 'Erases a record.', approval: 'ask' },
    ...{ input: z.object({ record: z.string() }), annotations: { destructiveHint: true } },
    run: ({ record }) => void erased.push(record),
  })
  return { ...(await startTestGateway({ tools: [erase] })), erased }
}

let count = 0
/** Of a record of its own: equal calls would wait for one approval. */
const call = (record: string) => ({ name: 'erase', arguments: { record: `${record} ${++count}` } })

type Answer = Rpc & { status: number }

/** One call by each way in, every one under way. */
async function callByAll(worker: TestWorker, token: string): Promise<Promise<Answer>[]> {
  const { url } = worker
  const before = (await pendingAt(worker)).length
  const { headers } = await openSession(url, token)
  const sse = await openSse(url, token)
  const body = (record: string) => request(7, 'tools/call', call(record))
  const told = { ...call('streamed'), _meta: { progressToken: 'p' } }
  const answers = [
    ask(`${url}/mcp`, { token, ...modern('tools/call', call('modern')) }),
    ask(`${url}/mcp`, { token, headers, body: body('session') }),
    ask(`${url}/mcp`, { token, headers, body: request(8, 'tools/call', told) }),
    ask(url + seedPath, { token, body: body('seed') }),
    sse.ask(url, 7, 'tools/call', call('sse')).then((answer) => ({ status: 200, ...answer })),
  ]
  await waitFor(async () => (await pendingAt(worker)).length === before + answers.length, {
    timeoutMs: 10_000,
  })
  return answers
}

const pendingAt = ({ hub }: TestWorker) =>
  hub.approvals.list(admin, { status: 'pending', limit: 50, offset: 0 })

/** All that wait are approved, and what is said to them comes back. */
async function approveAll(worker: TestWorker): Promise<void> {
  for (const { approval_id } of await pendingAt(worker)) {
    await worker.hub.approvals.decide(admin, approval_id, { type: 'approve', message: '' })
  }
}

async function expectRefused(answers: Promise<Answer>[]): Promise<void> {
  const seen = await Promise.all(answers)
  // The profile of the source has words of its own.
  const words = [invalid, invalid, invalid, 'Authentication required', invalid]
  expect(seen.map(({ error }) => error?.message)).toEqual(words)
  // A stream has its status already.
  expect(seen.map(({ status }) => status)).toEqual([401, 401, 200, 401, 200])
}

test('a call that waits for a person ends with its key, in every process [E3.1][E6.1]', async () => {
  const { workers, key, erased } = await setUp()
  const [here, there] = workers
  const { access_token } = await signIn(here.url, { key })
  const answers = [await callByAll(there, key), await callByAll(there, access_token)]
  await here.gateway.groups.revokeKey(admin, 'all')
  await there.hub.revisions.check()
  for (const own of answers) await expectRefused(own)
  await approveAll(here)
  expect(erased).toEqual([])
})

test('one that waits ends when its group is disabled [E3.1][E6.1]', async () => {
  const { workers, key, erased } = await setUp()
  const [here] = workers
  const answers = await callByAll(here, key)
  await here.gateway.groups.update(admin, 'all', { enabled: false })
  await expectRefused(answers)
  await approveAll(here)
  expect(erased).toEqual([])
})

test('one that waits ends with its grant, and no other’s does [E3.1][E6.1]', async () => {
  const { workers, key, erased } = await setUp()
  const [here, there] = workers
  const gone = await signIn(here.url, { key })
  const stays = await signIn(here.url, { key })
  const answers = await callByAll(there, gone.access_token)
  const other = ask(`${there.url}/mcp`, {
    ...{ token: stays.access_token, body: request(1, 'tools/call', call('other')) },
  })
  await waitFor(async () => (await pendingAt(there)).length === answers.length + 1)
  await revoke(here.url, { token: gone.refresh_token, client_id: gone.client_id })
  await expectRefused(answers)
  await approveAll(here)
  expect((await other).result).toMatchObject({ content: expect.anything() })
  expect(erased).toEqual([expect.stringContaining('other')])
})

function revoke(url: string, form: Record<string, string>): Promise<Response> {
  return fetch(`${url}/mcp/oauth/revoke`, { method: 'POST', body: new URLSearchParams(form) })
}

test('a message whose key is revoked before its end has come does nothing [E3.1][E6.1]', async () => {
  const { workers, key, erased } = await setUp()
  const [{ url, gateway }] = workers
  const sent = begin(`${url}/mcp`, key)
  const body = JSON.stringify(request(1, 'tools/call', call('late')))
  sent.write(body.slice(0, 20))
  await ask(`${url}/mcp`, { token: key, body: request(1, 'ping') })
  await gateway.groups.revokeKey(admin, 'all')
  sent.end(body.slice(20))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  expect([answer.statusCode, await text(answer)]).toEqual([401, expect.stringContaining(invalid)])
  expect(erased).toEqual([])
})

function begin(url: string, token: string): ClientRequest {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = httpRequest(url, { method: 'POST', headers })
  onTestFinished(() => void sent.destroy())
  return sent
}
