import { createCanary, hostileServerCommand, startHostileHttp, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { ConnectionTest } from './contract.ts'
import { startTestHttp } from './test-http.ts'
import { createRig } from './test-rig.ts'
import { createTestServers } from './test-servers.ts'

type Config = Parameters<ReturnType<typeof createTestServers>['set']>[1]

async function runTest(config: Config): Promise<ConnectionTest> {
  await using rig = createRig()
  const found = await rig.upstreams.test(createTestServers().set('a', config))
  expect(rig.upstreams.health('acme', 'a')).toEqual([])
  expect(rig.observed).toEqual([])
  return found
}

function statuses({ steps }: ConnectionTest): string[] {
  return steps.map(({ name, status }) => `${name} ${status}`)
}

function faults({ steps }: ConnectionTest) {
  return steps.flatMap(({ fault }) => fault ?? [])
}

function failure({ steps }: ConnectionTest): string | undefined {
  return steps.find(({ status }) => status === 'failed')?.message
}

test('tells each step of a good server with its time, and what it found', async () => {
  await using http = await startTestHttp()
  const found = await runTest({ name: 'a', url: http.url('a') })
  expect(statuses(found)).toEqual([
    'start ok',
    'initialize ok',
    'list tools ok',
    'check schemas ok',
  ])
  expect(found).toMatchObject({ ok: true, tool_count: 2, protocol: { era: 'legacy' } })
  for (const { ms } of found.steps) expect(ms).toBeGreaterThanOrEqual(0)
})

test('a command that is not there fails at the start, with what to do', async () => {
  const found = await runTest({ name: 'a', command: '/no/such/program' })
  expect(statuses(found).slice(0, 2)).toEqual(['start failed', 'initialize skipped'])
  expect(failure(found)).toContain('Check the command')
  expect(faults(found)).toEqual(['start'])
})

test('a process that gives up tells why in its log, and nothing of it stays', async () => {
  await using command = await hostileServerCommand('crash_at_start')
  const found = await runTest({ name: 'a', command: command.command, args: [...command.args] })
  expect(found.ok).toBe(false)
  expect(found.log?.join('\n')).toContain('it cannot start: no licence')
})

test('a refused credential fails at the handshake and is not shown', async () => {
  await using http = await startTestHttp()
  const canary = createCanary()
  http.refuse('a', 401)
  const headers = { Authorization: canary.header }
  const found = await runTest({ name: 'a', url: http.url('a'), headers })
  expect(statuses(found)).toContain('initialize failed')
  expect(failure(found)).toMatch(/401.*Check the credentials/)
  expect(faults(found)).toEqual(['credentials'])
  expect(JSON.stringify(found)).not.toContain(canary.marker)
})

test('a server that hangs is given up after its timeout', async () => {
  await using server = await startHostileHttp('half_open')
  const found = await runTest({ name: 'a', url: server.url, timeout: 0.3 })
  expect(found.ok).toBe(false)
  expect(failure(found)).toContain('raise its timeout')
  expect(faults(found)).toEqual(['timeout'])
  await waitFor(() => server.connections() === 0)
})

test('a person may stop it', async () => {
  await using server = await startHostileHttp('half_open')
  await using rig = createRig()
  const given = createTestServers().set('a', { name: 'a', url: server.url })
  const found = await rig.upstreams.test(given, { signal: AbortSignal.timeout(100) })
  expect(found.ok).toBe(false)
  await waitFor(() => server.connections() === 0)
})
