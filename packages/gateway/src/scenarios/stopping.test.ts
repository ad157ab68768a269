import { defineTool } from '@dataagent/hub'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openSession, openSse } from './test-clients.ts'
import { startTestGateway } from './test-gateway.ts'
import { request, send } from './test-wire.ts'

test('a server that stops answers what is under way, ends streams that wait and opens none', async () => {
  let running = 0
  const finish = Promise.withResolvers<string>()
  const slow = defineTool({
    ...{ name: 'slow', description: 'Takes its time.', input: z.object({}) },
    run: () => {
      running += 1
      return finish.promise
    },
  })
  const { workers, key } = await startTestGateway({ tools: [slow] })
  const [{ url, gateway }] = workers
  const { headers } = await openSession(url, key)
  const listening = await send(`${url}/mcp`, { method: 'GET', token: key, headers })
  const idle = await openSse(url, key)
  const busy = await openSse(url, key)
  const answer = busy.ask(url, 5, 'tools/call', { name: 'slow', arguments: {} })
  const body = request(6, 'tools/call', { name: 'slow', arguments: {} })
  const posted = send(`${url}/mcp`, { token: key, headers, body })
  await waitFor(() => running === 2)

  gateway.stop()
  await Promise.all([listening.ended, idle.stream.ended])
  expect((await send(`${url}/mcp/v1/sse`, { method: 'GET', token: key })).status).toBe(503)
  finish.resolve('done')
  expect((await answer).result.content).toEqual([{ type: 'text', text: 'done' }])
  await busy.stream.ended
  expect((await posted).status).toBe(200)
})
