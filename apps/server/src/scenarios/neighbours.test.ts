import type { ChatResponse, ServerInfo } from '@dataagent/schema'
import {
  lastUserText,
  type RecordedRequest,
  startHostileHttp,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { keyOf, startTestPlatform } from '../testing/test-platform.ts'
import { openTestSocket } from '../testing/test-socket.ts'
import { createMovableClock } from './test-clock.ts'

/** "wait" lets the model be silent, "hang" calls a tool that does not answer. */
function waitsOrHangs(request: RecordedRequest) {
  const text = lastUserText(request)
  if (text === 'wait') return { text: 'Late.', ttft: 60_000 }
  if (text !== 'hang' || toolRounds(request) > 0) return { text: 'Here.' }
  return { toolCalls: [{ name: 'mall--slow', arguments: { ms: 60_000 } }] }
}

test('turns that wait for a model or a tool hold up nobody else [D23.4]', async () => {
  await using server = await startTestPlatform({ script: waitsOrHangs })
  await using mall = await startHostileHttp('none')
  const json = { config: { name: 'mall', url: mall.url, toolApproval: { '*': 'allow' } } }
  const added = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'boss', json })
  await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id: added.body.server_id })
  using cleanup = new DisposableStack()
  for (const message of ['wait', 'hang', 'wait', 'hang']) {
    const { body } = await server.ask<{ session_id: string }>('POST', '/sessions', { json: {} })
    const headers = { 'x-api-key': keyOf('ada') }
    const { session_id } = body
    const socket = cleanup.use(openTestSocket({ url: server.url, session_id, headers }))
    await socket.next('connected')
    socket.send('chat', { message })
    await socket.next(message === 'hang' ? 'tool_call' : 'user_message')
  }
  const begun = performance.now()
  for (const as of ['ada', 'bob', 'zoe'] as const) {
    const { body } = await server.ask<ChatResponse>('POST', '/chat', {
      ...{ as, json: { message: 'Are you there?' } },
    })
    expect(body.events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  }
  expect(performance.now() - begun).toBeLessThan(5_000)
  expect(server.platform.runs.running).toBe(4)
})

const hourMs = 3_600_000

test('a session that has expired is refused on connect as one that never was [D17.2]', async () => {
  const clock = createMovableClock()
  await using server = await startTestPlatform({ clock, config: { session_keep_days: 1 } })
  const { body } = await server.ask<{ session_id: string }>('POST', '/sessions', { json: {} })
  const headers = { 'x-api-key': keyOf('ada') }
  const { session_id } = body
  clock.advance(25 * hourMs)
  using socket = openTestSocket({ url: server.url, session_id, headers })
  expect(await socket.closed).toMatchObject({ code: 4404 })
  expect(socket.messages).toMatchObject([{ event_type: 'refused', error_code: 'not_found' }])
})

test('an idle session gives its connections to servers back after its timeout, and goes on when it is used [D31.3] [D20.2]', async () => {
  const clock = createMovableClock()
  const config = { allowed_addresses: ['127.0.0.1'], session_timeout: 600 }
  await using server = await startTestPlatform({ clock, config })
  await using mcp = await startHostileHttp('none')
  const add = { name: 'notes', url: mcp.url }
  const { body: info } = await server.ask<ServerInfo>('POST', '/users/ada/mcp-servers', {
    json: add,
  })
  const { body } = await server.ask<{ session_id: string }>('POST', '/sessions', { json: {} })
  const status = async () =>
    (await server.ask<ServerInfo>('GET', `/users/ada/mcp-servers/${info.name}`)).body.status
  const become = (wanted: string, stepMs: number) =>
    waitFor(
      async () => {
        clock.advance(stepMs)
        return (await status()) === wanted
      },
      { timeoutMs: 10_000, what: wanted },
    )
  await become('running', 0)
  clock.advance(500_000)
  expect(await status()).toBe('running')
  await become('stopped', 30_000)
  const json = { message: 'Hello again', session_id: body.session_id }
  expect((await server.ask('POST', '/chat', { json })).status).toBe(200)
  await become('running', 0)
})
