import type { ApprovalsPage, ServerInfo } from '@dataagent/schema'
import { startHostileHttp, toolRounds, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { Config } from '../config/index.ts'
import { keyOf, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { openTestSocket } from '../testing/test-socket.ts'
import { createMovableClock, type MovableClock } from './test-clock.ts'

const slowText = { text: 'Once upon a time. '.repeat(30), itl: 10 }
const silence = { text: 'Late.', ttft: 120_000 }

/** A server in which a run is under way whose only reader has just gone. */
async function leaveRun(config: Partial<Config>) {
  const server = await startTestPlatform({ config, script: [slowText] })
  const { socket, ...rest } = await startRun(server)
  await socket.next('text')
  socket.cut()
  return { server, ...rest }
}

/** A socket on which a run has begun, another to the same session, and how the run ends. */
async function startRun(server: TestPlatform) {
  const { body } = await server.ask<{ session_id: string }>('POST', '/sessions', { json: {} })
  const headers = { 'x-api-key': keyOf('ada') }
  const { session_id } = body
  const open = () => openTestSocket({ url: server.url, session_id, headers })
  const socket = open()
  await socket.next('connected')
  socket.send('chat', { message: 'Tell me a story' })
  await socket.next('user_message')
  const runs = async () =>
    (await server.ask<{ runs: { status: string }[] }>('GET', `/sessions/${session_id}/runs`)).body
      .runs
  const ended = () =>
    waitFor(async () => (await runs()).find(({ status }) => status !== 'running'), {
      timeoutMs: 20_000,
      what: 'the end of the run',
    })
  return { session_id, socket, open, ended }
}

test('with a window of 0 the run ends when its reader goes [D17.6]', async () => {
  const { server, ended } = await leaveRun({ reconnect_window: 0 })
  await using _server = server
  expect(await ended()).toMatchObject({ status: 'cancelled' })
})

test('who comes back within the window finds the run going on [D17.6]', async () => {
  const { server, open, ended } = await leaveRun({ reconnect_window: 60 })
  await using _server = server
  using socket = open()
  await socket.next('connected')
  socket.send('resume', { seq: 0 })
  expect(await socket.next('done')).toMatchObject({ cancelled: false })
  expect(await ended()).toMatchObject({ status: 'done' })
})

test('by setting, a run goes on without a reader [D17.6]', async () => {
  const { server, ended } = await leaveRun({ reconnect_window: 0, on_disconnect: 'finish' })
  await using _server = server
  expect(await ended()).toMatchObject({ status: 'done' })
})

/** Lets so many seconds pass, with all that happens in them. */
async function pass(server: TestPlatform, clock: MovableClock, seconds: number) {
  for (let left = seconds; left > 0; left -= 5) {
    clock.advance(Math.min(5, left) * 1_000)
    await server.ask('GET', '/health', { as: null })
  }
  const { revisions } = server.platform.hub
  await waitFor(() => revisions.unconfirmedMs() < 2_000, { what: 'confirmed permissions' })
}

test('a run that nobody reads ends when its window is over, and leaves nothing behind [D17.6]', async () => {
  const clock = createMovableClock()
  const config = { reconnect_window: 60 }
  await using server = await startTestPlatform({ clock, config, script: [silence] })
  const timers = clock.timers()
  const { socket, ended } = await startRun(server)
  await waitFor(() => server.model.active() === 1, { what: 'a request to the model' })
  socket.cut()
  await whenNoSocket(server)
  await pass(server, clock, 55)
  expect(server.platform.runs.running).toBe(1)
  clock.advance(10_000)
  expect(await ended()).toMatchObject({ status: 'cancelled' })
  expect(server.platform.runs.running).toBe(0)
  await waitFor(() => server.model.active() === 0, { what: 'an idle model' })
  await waitFor(() => clock.timers() <= timers, { what: 'as few timers as before' })
})

/** Waits until the server knows that the sockets are gone. */
async function whenNoSocket(server: TestPlatform) {
  const none = /dataagent_sockets_open\{[^}]*\} 0/
  const metrics = () => server.ask<string>('GET', '/metrics', { as: 'operator' })
  await waitFor(async () => none.test((await metrics()).body), { what: 'no socket' })
}

test('a run that waits for an approval waits on without a reader [D17.6]', async () => {
  const clock = createMovableClock()
  await using mall = await startHostileHttp('none')
  await using server = await startTestPlatform({
    ...{ clock, config: { reconnect_window: 0 } },
    script: (request) =>
      toolRounds(request) > 0
        ? { text: 'Counted.' }
        : { toolCalls: [{ name: 'mall--count', arguments: {} }] },
  })
  const config = { name: 'mall', url: mall.url, healthEvery: 600, toolApproval: { count: 'ask' } }
  const json = { config }
  const added = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'boss', json })
  await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id: added.body.server_id })
  const { socket, open, ended } = await startRun(server)
  const { approval_id } = await socket.next('hitl_request')
  socket.cut()
  await whenNoSocket(server)
  await pass(server, clock, 200)
  const { body } = await server.ask<ApprovalsPage>('GET', '/approvals?status=pending')
  expect(body.approvals).toMatchObject([{ approval_id }])
  using back = open()
  await back.next('connected')
  back.send('resume', { seq: 0 })
  await server.ask('POST', `/approvals/${approval_id}/decide`, { json: { type: 'approve' } })
  expect(await back.next('done')).toMatchObject({ cancelled: false })
  expect(await ended()).toMatchObject({ status: 'done' })
  expect(mall.notes('effect')).toEqual(['count'])
})
