import { defineTool } from '@dataagent/hub'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openSession, openSse } from './test-clients.ts'
import { admin, startTestGateway, type TestWorker } from './test-gateway.ts'
import { request, send } from './test-wire.ts'

const erase = defineTool({
  name: 'erase',
  description: 'Erases a record.',
  input: z.object({ record: z.string() }),
  annotations: { destructiveHint: true },
  approval: 'ask',
  run: ({ record }) => `erased ${record}`,
})

const call = (record: string) => ({
  ...{ name: 'erase', arguments: { record } },
  _meta: { progressToken: 'wait' },
})

async function waiting({ hub }: TestWorker): Promise<string> {
  const pending = () => hub.approvals.list(admin, { status: 'pending', limit: 10, offset: 0 })
  return waitFor(async () => (await pending())[0]?.approval_id, { timeoutMs: 10_000 })
}

test('a destructive call from outside waits for a person, and says so meanwhile', async () => {
  const { workers, key } = await startTestGateway({ tools: [erase] })
  const [here, there] = workers
  const { headers } = await openSession(here.url, key)
  const sent = await send(`${here.url}/mcp`, {
    ...{ token: key, headers, body: request(7, 'tools/call', call('r1')) },
  })
  const told = await sent.until(({ method }) => method === 'notifications/progress')
  expect(told.params).toMatchObject({
    progressToken: 'wait',
    message: expect.stringContaining('approve'),
  })
  await there.hub.approvals.decide(admin, await waiting(there), { type: 'approve', message: '' })
  const answer = await sent.until(({ id }) => id === 7)
  expect(answer.result.content).toEqual([{ type: 'text', text: 'erased r1' }])
})

test('a call that a person refuses is an error, so that a node of a workflow fails', async () => {
  const { workers, key } = await startTestGateway({ tools: [erase] })
  const [here] = workers
  const client = await openSse(here.url, key)
  const answer = client.ask(here.url, 3, 'tools/call', call('r2'))
  const message = 'not this one'
  await here.hub.approvals.decide(admin, await waiting(here), { type: 'reject', message })
  expect((await answer).error).toMatchObject({
    message: expect.stringContaining(message),
    data: { error_code: 'approval_rejected' },
  })
})

test('one that nobody decides in time names the approval, and the same call uses the decision once', async () => {
  const { workers, key } = await startTestGateway({
    tools: [erase],
    settings: { hold_seconds: 0.2 },
  })
  const [here, there] = workers
  const path = '/api/v1/mcp/jsonrpc'
  const ask = async (id: number) => {
    const body = request(id, 'tools/call', call('r3'))
    const sent = await send(here.url + path, { token: key, body })
    await sent.ended
    return sent.messages[0]
  }
  const first = await ask(1)
  const approval_id = String(first?.error?.data?.approval_id)
  expect(first?.error?.message).toContain(approval_id)
  await there.hub.approvals.decide(admin, approval_id, { type: 'approve', message: '' })
  expect((await ask(2))?.result.content).toContainEqual({ type: 'text', text: 'erased r3' })
  expect((await ask(3))?.error?.data).toMatchObject({ error_code: 'approval_required' })
})
