import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { ServerInfo, ServerStatusList } from '@dataagent/schema'
import { type HostileHttp, startFaultProxy, startHostileHttp, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { createMovableClock } from './test-clock.ts'

const config = { allowed_addresses: ['127.0.0.1'] }

const add = (server: TestPlatform, as: Person, json: Record<string, unknown>) =>
  server.ask<ServerInfo>('POST', `/users/${as}/mcp-servers`, { as, json })

async function begin(server: TestPlatform, as: Person): Promise<string> {
  const { body } = await server.ask<{ session_id: string }>('POST', '/sessions', { as, json: {} })
  return body.session_id
}

async function statusOf(server: TestPlatform, as: Person, { server_id }: ServerInfo) {
  const path = `/mcp-servers/${server_id}/status`
  const { body } = await server.ask<ServerStatusList>('GET', path, { as })
  return body.statuses.map(({ status, user_id }) => `${status} ${user_id}`)
}

const whenRunning = (server: TestPlatform, as: Person, info: ServerInfo) =>
  waitFor(async () => (await statusOf(server, as, info)).includes(`running ${as}`), {
    timeoutMs: 10_000,
    what: `the connection of ${as}`,
  })

const initialized = ({ notes }: HostileHttp) =>
  notes('received').filter((method) => method === 'initialize').length

test('each user has connections of their own, also to one and the same server [D31.1]', async () => {
  await using server = await startTestPlatform({ config })
  await using mcp = await startHostileHttp('none')
  const json = { name: 'notes', url: mcp.url }
  const people = ['ada', 'bob'] as const
  for (const as of people) {
    const { body } = await add(server, as, json)
    await begin(server, as)
    await whenRunning(server, as, body)
    expect(await statusOf(server, as, body)).toEqual([`running ${as}`])
  }
  expect(initialized(mcp)).toBe(2)
})

test('a user may have as many as the setting says, and one more is refused [D31.2]', async () => {
  await using server = await startTestPlatform({ config: { ...config, mcp_servers_per_user: 2 } })
  const answers = []
  for (const name of ['a', 'b', 'c']) {
    const json = { name, url: 'http://127.0.0.1:9/mcp', disabled: true }
    answers.push(await add(server, 'ada', json))
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 429])
  expect(answers[2]?.body).toMatchObject({ details: { limit: 'mcp_servers_per_user', max: 2 } })
})

test("when a user's last session ends their connections are let go, and no others [D31.3]", async () => {
  const clock = createMovableClock()
  await using server = await startTestPlatform({ config, clock })
  await using mcp = await startHostileHttp('none')
  const json = { name: 'notes', url: mcp.url }
  const { body: adas } = await add(server, 'ada', json)
  const { body: bobs } = await add(server, 'bob', json)
  const sessions = [await begin(server, 'ada'), await begin(server, 'ada')]
  await begin(server, 'bob')
  await whenRunning(server, 'ada', adas)
  await whenRunning(server, 'bob', bobs)

  await server.ask('DELETE', `/sessions/${sessions[0]}`)
  clock.advance(60_000)
  clock.advance(60_000)
  expect(await statusOf(server, 'ada', adas)).toEqual(['running ada'])
  await server.ask('DELETE', `/sessions/${sessions[1]}`)
  await waitFor(
    async () => {
      clock.advance(10_000)
      return !(await statusOf(server, 'ada', adas)).includes('running ada')
    },
    { timeoutMs: 10_000, what: 'the end of the connection' },
  )
  expect(await statusOf(server, 'bob', bobs)).toEqual(['running bob'])
})

test('a server that fails its probe is out, and back by itself when it is well [D31.4]', async () => {
  await using server = await startTestPlatform({ config })
  await using mcp = await startHostileHttp('none')
  await using proxy = await startFaultProxy({ target: mcp.url })
  const json = { name: 'notes', url: proxy.url, healthEvery: 0.2, timeout: 2 }
  const { body } = await add(server, 'ada', json)
  await begin(server, 'ada')
  await whenRunning(server, 'ada', body)
  await proxy.set({ kind: 'black_hole' })
  await waitFor(async () => (await statusOf(server, 'ada', body)).includes('error ada'), {
    timeoutMs: 15_000,
    what: 'the server in error',
  })
  const tools = async () => (await server.ask('GET', '/tools?q=notes')).body.total
  await waitFor(async () => (await tools()) === 0, { what: 'no tools' })
  await proxy.set({ kind: 'refuse' })
  await proxy.set({ kind: 'pass' })
  await waitFor(async () => (await tools()) === 4, { timeoutMs: 20_000, what: 'the tools' })
})

const reconnect = (server: TestPlatform, { server_id }: ServerInfo) =>
  server.ask('POST', `/mcp-servers/${server_id}/reconnect`)

test('a connection over its time is cut, nothing of it stays, and it is logged [D31.5] [D31.6]', async () => {
  await using server = await startTestPlatform({ config })
  await using silent = await startSilent()
  const added = await add(server, 'ada', { name: 'silent', url: silent.url, timeout: 0.3 })
  expect(added.body).toMatchObject({ timeout: 0.3 })
  const { server_id } = added.body
  await begin(server, 'ada')
  const logged = () =>
    server.records.find((record) => record.server_id === server_id && record.level === 'warning')
  const record = await waitFor(logged, { timeoutMs: 15_000, what: 'a line of the log' })
  expect(String(record.message)).toMatch(/did not answer|timed? ?out|within/i)
  expect(await statusOf(server, 'ada', added.body)).toEqual(['error ada'])
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = silent.accepted()
    await reconnect(server, added.body)
    expect(silent.accepted()).toBeGreaterThan(before)
    await waitFor(() => silent.open() === 0, { what: 'no connection left' })
  }
})

test('a command over its time is ended, also where it says nothing [D31.5]', async () => {
  await using server = await startTestPlatform({ config })
  const mark = `silent-${randomUUID()}`
  const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1e9)', mark] }
  const json = { templates: [{ name: 'silent', ...silent }] }
  await server.ask('PUT', '/mcp-servers/templates', { as: 'operator', json })
  const added = await add(server, 'ada', { name: 'silent', ...silent, timeout: 2 })
  const attempt = reconnect(server, added.body)
  await waitFor(() => isRunning(mark), { timeoutMs: 10_000, what: 'a child' })
  await attempt
  expect(await statusOf(server, 'ada', added.body)).toEqual(['error ada'])
  await waitFor(async () => !(await isRunning(mark)), { timeoutMs: 10_000, what: 'no child left' })
})

/** Whether a process of this machine has that on its command line. */
async function isRunning(mark: string): Promise<boolean> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''))
  return (await Promise.all(lines)).some((line) => line.includes(mark))
}

test('a connection has 30 seconds where nothing else is said [D31.6]', async () => {
  const clock = createMovableClock()
  await using server = await startTestPlatform({ config, clock })
  await using silent = await startSilent()
  const { body } = await add(server, 'ada', { name: 'silent', url: silent.url })
  expect(body).toMatchObject({ timeout: 30 })
  await begin(server, 'ada')
  await waitFor(() => silent.open() > 0, { what: 'a connection' })
  clock.advance(29_000)
  expect(await statusOf(server, 'ada', body)).not.toContain('error ada')
  clock.advance(2_000)
  await waitFor(async () => (await statusOf(server, 'ada', body)).includes('error ada'), {
    timeoutMs: 10_000,
    what: 'the end of the attempt',
  })
})

/** Takes connections and never says a word. */
async function startSilent() {
  const sockets = new Set<Socket>()
  let accepted = 0
  const listener = createServer((socket) => {
    accepted += 1
    sockets.add(socket.on('error', () => {}).resume())
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`,
    accepted: () => accepted,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      listener.close()
    },
  }
}
