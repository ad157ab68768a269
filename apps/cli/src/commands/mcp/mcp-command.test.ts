import { startAuthorizationServer, startProtectedResource, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '../../app/index.ts'
import type { Link } from '../../link/index.ts'
import { connectServers, loadServers } from '../../mcp/index.ts'
import { plainTheme, testPlace } from '../../mcp/test-tools.ts'
import { startTestPlatform, type TestPlatform } from '../../testing/test-platform.ts'
import { runCommand } from '../registry.ts'
import { mcpCommand } from './mcp-command.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await startTestPlatform()
})
afterAll(() => platform[Symbol.asyncDispose]())

/** The program around the command, as far as it is used. */
async function testApp({ isAttended = true } = {}) {
  const { trust, ...place } = await testPlace()
  const { client, user_id, url } = platform
  const lines: string[] = []
  const stop = new AbortController()
  const setServers: Link['setServers'] = async (servers) => {
    for (const server of servers) await client.userServers.create(user_id, server)
  }
  const parts: Partial<App> = {
    ...{ theme: plainTheme, lang: 'en', assistant_id: place.assistant_id, folder: place.folder },
    mcpFiles: { ...place, trust },
    machine: { env: {}, isTty: true, isAttended, dataDir: place.home, logFile: '' },
    confirm: async () => true,
    signal: new AbortController().signal,
    say: (text) => lines.push(text),
    link: async () => ({ kind: 'local', url, client, user_id }) as Link,
    reloadServers: () => loadServers({ ...place, trust, link: { setServers } }),
    stoppable: (work) => work(stop.signal),
  }
  return {
    ...{ app: parts as App, place, stop },
    shown: () => lines.join('\n'),
    async [Symbol.asyncDispose]() {
      const { servers } = await client.userServers.list(user_id)
      for (const { name } of servers) await client.userServers.delete(user_id, name)
      await place[Symbol.asyncDispose]()
    },
  }
}

const complete = async (words: string, app: App) => {
  const found = (await mcpCommand.complete?.(words, app, app.signal)) ?? []
  return found.map(({ value }) => value)
}

test('its actions and the names of servers are completed', async () => {
  await using tested = await testApp()
  const { app, place } = tested
  await place.putUser({ mcpServers: { 'my files': { command: 'x' }, web: { command: 'y' } } })
  await app.reloadServers()
  expect(await complete('', app)).toHaveLength(9)
  expect(await complete('re', app)).toEqual(['remove', 'reload'])
  expect(await complete('test ', app)).toEqual(['"my files"', 'web'])
  expect(await complete('disable W', app)).toEqual(['web'])
  expect(await complete('list ', app)).toEqual([])
})

test('it shows the servers, and reads the files again', async () => {
  await using tested = await testApp()
  const { app, place } = tested
  await place.putUser({ mcpServers: { 'my files': { command: 'x' } } })
  await mcpCommand.run('reload', app)
  await mcpCommand.run('', app)
  expect(tested.shown()).toMatch(/Read again: 1 server[^\n]*\n. my files +not connected/)
  await mcpCommand.run('nonsense', app)
  expect(tested.shown()).toContain('Use: /mcp list')
})

test('a line of a pipe agrees to no server of a project [T59]', async () => {
  await using tested = await testApp({ isAttended: false })
  const { app, place } = tested
  await place.putProject({ mcpServers: { theirs: { command: 'go' } } })
  await mcpCommand.run('enable theirs', app)
  expect(tested.shown()).toContain('Nobody can be asked here')
  await mcpCommand.run('list', app)
  expect(tested.shown()).toMatch(/theirs +not agreed to/)
})

test('the wait for a sign-in can be stopped', async () => {
  await using authorization = await startAuthorizationServer()
  await using resource = await startProtectedResource({
    issuers: () => [authorization.issuer],
    verify: authorization.verify,
  })
  await using tested = await testApp()
  const { app, place } = tested
  await place.putUser({ mcpServers: { guarded: { url: resource.url } } })
  const link = await app.link()
  await connectServers(await app.reloadServers(), { link, lang: 'en', signal: app.signal })
  const done = runCommand('/mcp login guarded', app)
  await waitFor(() => tested.shown().includes('http://127'))
  tested.stop.abort()
  await done
  expect(tested.shown()).toContain('Stopped: you are not signed in')
})
