import type { ServerInfo } from '@dataagent/schema'
import { createFakeClock, startHostileHttp } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startTestPlatform } from '../testing/test-platform.ts'
import { wakeServers } from './wake-servers.ts'

test('a turn waits for a server that nobody has tried, but not for one that its session does without', async () => {
  await using server = await startTestPlatform()
  await using hanging = await startHostileHttp('hang')
  const json = { name: 'slow', url: hanging.url }
  const { body } = await server.ask<ServerInfo>('POST', '/users/ada/mcp-servers', { json })
  const { hub } = server.platform
  const clock = createFakeClock()
  const { signal } = new AbortController()
  const ada = { tenant_id: 'acme', user_id: 'ada' }
  const wake = (...without: string[]) =>
    wakeServers({ hub, clock, signal, patienceMs: 5_000, without: new Set(without) }, ada, 'one')
  await wake(body.server_id)
  let isOver = false
  const waiting = wake().then(() => {
    isOver = true
  })
  await server.ask('GET', '/sessions')
  expect(isOver).toBe(false)
  clock.advance(5_000)
  await waiting
})
