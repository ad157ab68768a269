import { expect, test } from 'vitest'
import { createServers } from './servers.ts'
import {
  admin,
  aServer,
  createTestServers,
  failureOf,
  platformAdmin,
  remote,
} from './test-servers.ts'

test('names, aliases and ids stand for one server of an owner', async () => {
  const { servers } = createTestServers()
  const config = remote('orders', { alias: 'mall' })
  await servers.register(admin, { scope: 'tenant', server_id: 'o', config })
  const taken: [ReturnType<typeof remote>, string | undefined][] = [
    [remote('orders'), undefined],
    [remote('mall'), undefined],
    [remote('x', { alias: 'orders' }), undefined],
    [remote('y', { alias: 'mall' }), undefined],
    [remote('z'), 'o'],
  ]
  for (const [other, server_id] of taken) {
    const attempt = servers.register(admin, { scope: 'tenant', server_id, config: other })
    expect((await failureOf(attempt)).code).toBe('conflict')
  }
  const second = await servers.register(admin, aServer('second'))
  const renamed = servers.update(admin, second.server_id, remote('mall'))
  expect((await failureOf(renamed)).code).toBe('conflict')
})

test('a tenant cannot take the id of a server of the platform, nor the other way', async () => {
  const { servers } = createTestServers()
  await servers.register(platformAdmin, { ...aServer('a', 'platform'), server_id: 'one' })
  await servers.register(admin, { ...aServer('b'), server_id: 'two' })
  const inTenant = servers.register(admin, { ...aServer('c'), server_id: 'one' })
  expect((await failureOf(inTenant)).code).toBe('conflict')
  const onPlatform = servers.register(platformAdmin, {
    ...aServer('d', 'platform'),
    server_id: 'two',
  })
  expect((await failureOf(onPlatform)).code).toBe('conflict')
})

test('an id is made from the name, in ASCII, and stays when the name changes', async () => {
  const { servers } = createTestServers()
  const idOf = async (name: string) => (await servers.register(admin, aServer(name))).server_id
  expect(await idOf('Møll Örders 2')).toMatch(/^m-ll-orders-2$/)
  expect(await idOf('订单')).toBe('server')
  expect(await idOf('商品')).toBe('server-2')
  const renamed = await servers.update(admin, 'server', remote('orders'))
  expect(renamed).toMatchObject({ server_id: 'server', config: { name: 'orders' } })
})

test('our own name and what looks like it is refused as name, alias and id', async () => {
  const { servers } = createTestServers()
  const imitations = [
    ...['dataagent', 'DataAgent', 'data-agent', 'Data Agent', 'dаtааgent', 'ｄａｔａａｇｅｎｔ'],
    ...['d4taagent', 'dátàagent', 'dataaɡent', 'DΑΤΑAGENT', 'dataageոt'],
    ...['𝐝𝐚𝐭𝐚𝐚𝐠𝐞𝐧𝐭', 'ᴅᴀᴛᴀᴀɢᴇɴᴛ'],
  ]
  for (const name of imitations) {
    for (const config of [remote(name), remote('fine', { alias: name })]) {
      const failure = await failureOf(servers.register(admin, { scope: 'tenant', config }))
      expect(failure, name).toMatchObject({ code: 'invalid_request' })
    }
  }
  const byId = servers.register(admin, { ...aServer('fine'), server_id: 'Data_Agent' })
  expect((await failureOf(byId)).code).toBe('invalid_request')
  await servers.register(admin, aServer('data agents'))
})

test('two processes that add servers of one slug at once give them two ids', async () => {
  const { servers, means } = createTestServers()
  const other = createServers(means)
  const [first, second] = await Promise.all([
    servers.register(admin, aServer('商品')),
    other.register(admin, aServer('订单')),
  ])
  expect([first.server_id, second.server_id].sort()).toEqual(['server', 'server-2'])
})
