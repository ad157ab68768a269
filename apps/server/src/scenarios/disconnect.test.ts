import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { Config } from '../config/index.ts'
import { keyOf, startTestPlatform } from '../testing/test-platform.ts'
import { openTestSocket } from '../testing/test-socket.ts'

const slowText = { text: 'Once upon a time. '.repeat(30), itl: 10 }

/** A server in which a run is under way whose only reader has just gone. */
async function leaveRun(config: Partial<Config>) {
  const server = await startTestPlatform({ config, script: [slowText] })
  const { body } = await server.ask<{ session_id: string }>('POST', '/sessions', { json: {} })
  const headers = { 'x-api-key': keyOf('ada') }
  const { session_id } = body
  const open = () => openTestSocket({ url: server.url, session_id, headers })
  const socket = open()
  await socket.next('connected')
  socket.send('chat', { message: 'Tell me a story' })
  await socket.next('text')
  socket.cut()
  const runs = async () =>
    (await server.ask<{ runs: { status: string }[] }>('GET', `/sessions/${session_id}/runs`)).body
      .runs
  const ended = () =>
    waitFor(async () => (await runs()).find(({ status }) => status !== 'running'), {
      timeoutMs: 20_000,
      what: 'the end of the run',
    })
  return { server, open, ended }
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

test('a socket that is gone leaves nothing behind [D17.6]', async () => {
  const { server, ended } = await leaveRun({ reconnect_window: 0 })
  await using _server = server
  await ended()
  expect(server.platform.runs.running).toBe(0)
  expect(server.model.active()).toBe(0)
  const { body } = await server.ask<string>('GET', '/metrics', { as: 'operator' })
  expect(body).toMatch(/dataagent_sockets_open\{[^}]*\} 0/)
})
