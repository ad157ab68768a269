import { once } from 'node:events'
import { connect } from 'node:net'
import { systemClock } from '@dataagent/guard'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { closeWithin } from './deps/index.ts'
import { createTestApp } from './testing/test-app.ts'
import { runServer } from './testing/test-server.ts'

const stops = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

test.each(stops)('%s ends the server with exit code 0', async (signal) => {
  await using directory = await temporaryDirectory()
  await using server = runServer({ dataDir: directory.path })
  await server.shownKey()
  const idle = await server.get('/api/v1/health')
  await idle.text()
  const asked = performance.now()
  server.process.kill(signal)
  expect(await server.ended).toBe(0)
  expect(performance.now() - asked).toBeLessThan(15_000)
  expect(server.records().at(-1)).toMatchObject({ message: 'stopped' })
})

test('readiness turns 503 while requests are still taken, for as long as shutdown_delay says', async () => {
  await using directory = await temporaryDirectory()
  const args = ['--shutdown-delay', '600']
  await using server = runServer({ dataDir: directory.path, args })
  await server.shownKey()
  await waitFor(async () => (await server.get('/api/v1/ready')).status === 200)
  server.process.kill('SIGTERM')
  await waitFor(async () => (await server.get('/api/v1/ready')).status === 503)
  expect((await server.get('/api/v1/health')).status).toBe(200)
})

test('a second Ctrl-C ends the server at once', async () => {
  await using directory = await temporaryDirectory()
  const args = ['--shutdown-delay', '600']
  await using server = runServer({ dataDir: directory.path, args })
  await server.shownKey()
  server.process.kill('SIGINT')
  await waitFor(() => server.records().some(({ message }) => message === 'stopping'))
  await waitFor(() => {
    server.process.kill('SIGINT')
    return server.process.exitCode !== null
  })
  expect(await server.ended).toBe(130)
})

async function createSlowApp() {
  const release = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const server = await createTestApp({
    extend: (app) =>
      void app.get('/slow', { config: { access: 'public' } }, async () => {
        begun.resolve()
        await release.promise
        return { done: true }
      }),
  })
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
  return { ...server, url, release, begun: begun.promise }
}

test('a request under way is finished, and new connections are refused meanwhile', async () => {
  const { app, url, release, begun } = await createSlowApp()
  const answer = fetch(`${url}/slow`)
  await begun
  const closing = closeWithin(app, systemClock, 20_000)
  await waitFor(() =>
    fetch(`${url}/api/v1/health`).then(
      () => false,
      () => true,
    ),
  )
  release.resolve()
  expect(await (await answer).json()).toEqual({ done: true })
  const ended = performance.now()
  await closing
  expect(performance.now() - ended).toBeLessThan(10_000)
})

test('a connection on which nothing was asked yet keeps nobody waiting', async () => {
  const { app } = await createTestApp()
  const { port, hostname } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const taken = once(app.server, 'connection')
  const socket = connect(Number(port), hostname)
  await taken
  const asked = performance.now()
  await closeWithin(app, systemClock, 20_000)
  expect(performance.now() - asked).toBeLessThan(2_000)
  socket.destroy()
})

test('a request that outlasts the grace time is cut', async () => {
  const { app, url, begun } = await createSlowApp()
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await begun
  await closeWithin(app, systemClock, 100)
  if (!socket.closed)
    await once(
      socket.on('error', () => {}),
      'close',
    )
  expect(socket.bytesRead).toBe(0)
})
