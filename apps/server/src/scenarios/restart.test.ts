import type { ApprovalsPage, EventsPage, ServerInfo } from '@dataagent/schema'
import {
  lastUserText,
  type RecordedRequest,
  startHostileHttp,
  temporaryDirectory,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

/** Calls the tool that the message names, once, then answers. */
function callOnce(request: RecordedRequest) {
  if (toolRounds(request) > 0) return { text: 'It is done.' }
  return { toolCalls: [{ name: lastUserText(request), arguments: { message: 'hello' } }] }
}

async function eventsOf(server: TestPlatform, session_id: string) {
  const path = `/sessions/${session_id}/events?limit=200`
  return (await server.ask<EventsPage>('GET', path)).body.events
}

test('a run that waits for an approval goes on after a restart, with the tool of its server', {
  timeout: 120_000,
}, async () => {
  await using directory = await temporaryDirectory()
  await using mall = await startHostileHttp('none')
  const options = { dir: directory.path, script: callOnce }
  let session_id = ''
  {
    await using first = await startTestPlatform(options)
    const config = { name: 'mall', url: mall.url, toolApproval: { '*': 'ask' } }
    const { body } = await first.ask<ServerInfo>('POST', '/mcp-servers', {
      as: 'boss',
      json: { config },
    })
    await first.platform.hub.whenOffered({ tenant_id: 'acme', server_id: body.server_id })
    const tools = await first.ask<{ tools: { sdk_name: string }[] }>('GET', '/tools?q=echo')
    const created = await first.ask<{ session_id: string }>('POST', '/sessions', { json: {} })
    session_id = created.body.session_id
    const session = await first.platform.sessions.getSession(
      { tenant_id: 'acme', user_id: 'ada' },
      session_id,
    )
    const principal = { tenant_id: 'acme', user_id: 'ada', role: 'user' } as const
    const message = tools.body.tools[0]?.sdk_name ?? 'echo'
    await first.platform.runs.start({ principal, session, message, canAsk: true })
    await waitFor(async () =>
      (await eventsOf(first, session_id)).some(({ event_type }) => event_type === 'hitl_request'),
    )
  }
  await using second = await startTestPlatform(options)
  const pending = await second.ask<ApprovalsPage>('GET', '/approvals?status=pending')
  const [approval] = pending.body.approvals
  expect(approval).toMatchObject({ session_id, status: 'pending' })
  await waitFor(() => second.platform.runs.endOf(session_id) !== undefined, {
    timeoutMs: 30_000,
    what: 'the run picked up',
  })
  const decided = await second.ask('POST', `/approvals/${approval?.approval_id}/decide`, {
    json: { type: 'approve' },
  })
  expect(decided.status).toBe(200)
  const events = await waitFor(
    async () => {
      const all = await eventsOf(second, session_id)
      return all.at(-1)?.event_type === 'done' ? all : undefined
    },
    { timeoutMs: 30_000, what: 'the end of the run' },
  )
  expect(events.filter(({ event_type }) => event_type === 'tool_result')).toMatchObject([
    { status: 'success' },
  ])
  expect(events.at(-1)).toMatchObject({ cancelled: false })
})
