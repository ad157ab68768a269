import { expect, test } from 'vitest'
import { createServers } from './servers.ts'
import { admin, ana, createTestServers, failureOf, platformAdmin } from './test-servers.ts'

const local = { name: 'clock', command: '/bin/date', env: { TZ: 'UTC' } }
const anyCommand = { gate: { check: () => {} } }

test('a platform administrator of any tenant switches a server off; its secrets stay', async () => {
  const { servers, rows, published } = createTestServers(anyCommand)
  const server = await servers.register(ana, { scope: 'user', config: local })
  const [before] = await rows.list()
  await servers.switchOff(platformAdmin, server)
  expect(servers.get('t1', server.server_id)?.config).toEqual({ ...server.config, disabled: true })
  const [after] = await rows.list()
  expect(after?.secrets).toBe(before?.secrets)
  expect(JSON.parse(after!.config)).toEqual({ ...JSON.parse(before!.config), disabled: true })
  expect(published).toEqual(['t1', 't1'])
})

test('an administrator of the tenant may not, nor may the user', async () => {
  const { servers } = createTestServers(anyCommand)
  const server = await servers.register(ana, { scope: 'user', config: local })
  for (const by of [admin, ana]) {
    const failure = await failureOf(servers.switchOff(by, server))
    expect(failure).toMatchObject({ code: 'forbidden' })
  }
})

test('what is another server by now, or gone, is a conflict', async () => {
  const { servers, means } = createTestServers(anyCommand)
  const server = await servers.register(ana, { scope: 'user', config: local })
  const elsewhere = createServers(means)
  await elsewhere.reload()
  const url = 'https://mcp.example/mcp'
  const { server_id } = await elsewhere.update(ana, server.server_id, { name: 'clock', url })
  const changed = await failureOf(servers.switchOff(platformAdmin, server))
  expect(changed).toMatchObject({ code: 'conflict' })
  await elsewhere.remove(ana, server_id)
  const removed = await failureOf(servers.switchOff(platformAdmin, server))
  expect(removed).toMatchObject({ code: 'conflict' })
})
