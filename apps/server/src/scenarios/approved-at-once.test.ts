import type { ServerInfo } from '@dataagent/schema'
import { startHostileHttp, toolRounds, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { keyOf, startTestPlatform } from '../testing/test-platform.ts'
import { openTestSocket } from '../testing/test-socket.ts'

test('turns that are approved at once go on one after the other, as many as may run [D23.6]', async () => {
  await using mall = await startHostileHttp('none')
  const atOnce: number[] = []
  await using server = await startTestPlatform({
    config: { max_running_turns: 1 },
    script(request) {
      if (toolRounds(request) === 0)
        return { toolCalls: [{ name: 'mall--count', arguments: { of: request.turns.length } }] }
      atOnce.push(server.model.active())
      return { text: 'Counted.', ttft: 60 }
    },
  })
  const config = { name: 'mall', url: mall.url, healthEvery: 600, toolApproval: { count: 'ask' } }
  const added = await server.ask<ServerInfo>('POST', '/mcp-servers', {
    as: 'boss',
    json: { config },
  })
  await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id: added.body.server_id })
  using cleanup = new DisposableStack()
  const waiting = []
  for (let at = 0; at < 4; at += 1) {
    const { body } = await server.ask<{ session_id: string }>('POST', '/sessions', { json: {} })
    const headers = { 'x-api-key': keyOf('ada') }
    const socket = openTestSocket({ url: server.url, session_id: body.session_id, headers })
    cleanup.use(socket)
    await socket.next('connected')
    socket.send('chat', { message: 'Count' })
    waiting.push({ socket, approval_id: (await socket.next('hitl_request')).approval_id })
  }
  await waitFor(() => server.platform.runs.running === 0, { what: 'turns that wait for a person' })
  const json = { type: 'approve' }
  await Promise.all(
    waiting.map(({ approval_id }) =>
      server.ask('POST', `/approvals/${approval_id}/decide`, { json }),
    ),
  )
  const ends = await Promise.all(waiting.map(({ socket }) => socket.next('done')))
  expect(ends.map(({ cancelled }) => cancelled)).toEqual([false, false, false, false])
  expect(atOnce).toEqual([1, 1, 1, 1])
  await waitFor(() => server.platform.runs.running === 0, { what: 'no turn' })
})
