import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asAsked, createTestFeatures, resultOf, type TestServer } from './test-features.ts'

const listed = 'resources/list'
const shaped = 'resources/templates/list'

/** `aaa` came later, and sorts first. */
function twoServers(first: TestServer['has'], later: TestServer['has']) {
  return createTestFeatures([
    { server_id: 'mall', created_at: 1, has: first },
    { server_id: 'aaa', created_at: 2, has: later },
  ])
}

test('of two servers that list a URI the one that was registered first keeps it', async () => {
  const uri = 'crm://customers'
  const { resources } = twoServers(
    { [listed]: [{ uri, name: 'Customers' }] },
    { [listed]: [{ uri, name: 'Taken over' }] },
  )
  const { resources: all } = resultOf(await resources.list(asAsked()))
  expect(all).toEqual([{ uri, name: 'Customers' }])
  expect((await resources.findOwner(asAsked(), uri))?.server_id).toBe('mall')
})

test('of templates the longest fixed beginning wins, then who was registered first', async () => {
  const { resources } = twoServers(
    { [shaped]: [{ uriTemplate: 'crm://customers/{id}' }, { uriTemplate: 'crm://{any}' }] },
    {
      [shaped]: [
        { uriTemplate: '{+all}' },
        { uriTemplate: 'crm://customers/{other}' },
        { uriTemplate: 'crm://orders/{id}' },
      ],
    },
  )
  const ownerOf = async (uri: string) => (await resources.findOwner(asAsked(), uri))?.server_id
  expect(await ownerOf('crm://customers/42')).toBe('mall')
  expect(await ownerOf('crm://orders/42')).toBe('aaa')
  expect(await ownerOf('crm://notes/42')).toBe('mall')
  expect(await ownerOf('file:///x')).toBe('aaa')
  expect(await ownerOf('crm://customers/{other}')).toBe('aaa')
})

test('a URI that is known is read at once, however long another server takes for its lists [E5.2]', async () => {
  const uri = 'note://today'
  const { clock, resources, tell, asked } = createTestFeatures([
    { server_id: 'notes', created_at: 2, has: { [listed]: [{ uri }] } },
    { server_id: 'slow', created_at: 1, has: { [listed]: [{ uri: 'slow://1' }] }, ms: 2_900 },
  ])
  const first = resources.read(asAsked({ uri }))
  await clock.advanceAsync(2_900)
  expect(resultOf(await first)).toMatchObject({ done: 'notes' })
  for (let at = 0; at < 10; at += 1) {
    expect(resultOf(await resources.read(asAsked({ uri })))).toMatchObject({ done: 'notes' })
    tell('slow', { kind: 'resources_changed' })
    await clock.advanceAsync(29_000)
  }
  const ofSlow = asked.filter((one) => one.startsWith(`slow ${listed}`))
  expect(ofSlow.length).toBeLessThanOrEqual(11)
})

test('a list is kept until its server says that it has changed, or for 30 s', async () => {
  const { clock, resources, servers, tell, asked } = createTestFeatures([
    { server_id: 'notes', created_at: 1, has: { [listed]: [{ uri: 'note://1' }] } },
  ])
  const list = async () => resultOf(await resources.list(asAsked())).resources
  const ofList = () => asked.filter((one) => one.includes(listed)).length
  expect(await list()).toHaveLength(1)
  servers.get('notes')!.has[listed] = []
  expect(await list()).toHaveLength(1)
  expect(ofList()).toBe(1)
  tell('notes', { kind: 'resource_updated', uri: 'note://1' })
  expect(await list()).toHaveLength(1)
  tell('notes', { kind: 'resources_changed' })
  expect(await list()).toHaveLength(0)
  servers.get('notes')!.has[listed] = [{ uri: 'note://2' }]
  clock.advance(30_000)
  expect(await list()).toEqual([{ uri: 'note://2' }])
  expect(ofList()).toBe(3)
})

test('what a list does not have yet is asked for before it is called unknown', async () => {
  const { clock, resources, servers } = twoServers({ [listed]: [] }, { [listed]: [] })
  const read = async () => resultOf(await resources.read(asAsked({ uri: 'note://new' })))
  expect(await read()).toHaveProperty('error')
  servers.get('mall')!.has[listed] = [{ uri: 'note://new' }]
  clock.advance(1_000)
  expect(await read()).toMatchObject({ done: 'mall' })
})

test('of one who may not see the list of a server nothing is told that others were [A2.3] [T13]', async () => {
  const { resources, servers } = twoServers({ [listed]: [{ uri: 'a://1' }] }, { [listed]: [] })
  const list = async () => resultOf(await resources.list(asAsked())).resources
  expect(await list()).toHaveLength(1)
  Object.assign(servers.get('mall')!, { lists: [] })
  expect(await list()).toEqual([])
})

const runs = longCount(50, 5_000)

test(`where each user has credentials of their own, each gets their own list, whoever asked before, in ${runs} runs [T13]`, async () => {
  const users = ['ann', 'bob', 'cho']
  const ofUser = Object.fromEntries(
    users.map((user) => [user, { [listed]: [{ uri: `${user}://1` }] }]),
  )
  const step = fc.record({
    user: fc.constantFrom(...users),
    laterMs: fc.constantFrom(0, 1_000, 30_000),
    isChanged: fc.boolean(),
  })
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 2, maxLength: 12 }),
    async (steps) => {
      const { clock, resources, tell } = createTestFeatures([
        { server_id: 'notes', created_at: 1, user_id: 'each', has: {}, ofUser },
      ])
      const list = async (user: string) => resultOf(await resources.list(asAsked({}, user)))
      for (const { user, laterMs, isChanged } of steps) {
        const [own, ...others] = await Promise.all([user, ...users].map(list))
        for (const [at, given] of [own, ...others].entries()) {
          expect(given?.resources).toEqual([{ uri: `${[user, ...users][at]}://1` }])
        }
        clock.advance(laterMs)
        if (isChanged) tell('notes', { kind: 'resources_changed' })
      }
    },
  )
  await fc.assert(property, { numRuns: runs })
})

test.each(['public', 'private', 'PUBLIC', 'shared', '', null, 1, undefined])(
  'a server that says its reading is for %j: it is for the caller alone [T13]',
  async (cacheScope) => {
    const says = { cacheScope, ttlMs: 5 }
    const has = { [listed]: [{ uri: 'a://1' }] }
    const { resources } = createTestFeatures([{ server_id: 'a', created_at: 1, has, says }])
    const asking = asAsked({ uri: 'a://1' })
    const modern = { ...asking, exchange: { ...asking.exchange, era: 'modern' as const } }
    for (const ask of [resources.read, resources.list]) {
      expect(resultOf(await ask(modern))).toMatchObject({ cacheScope: 'private' })
      expect(resultOf(await ask(asking))).not.toHaveProperty('cacheScope')
    }
  },
)

test('a list that is too long to be kept is kept in part', async () => {
  const long = Array.from({ length: 90 }, (_, i) => ({ uri: `a://${i}`, x: 'x'.repeat(100_000) }))
  const { resources } = twoServers({ [listed]: long }, { [listed]: [{ uri: 'b://1' }] })
  const { resources: all } = resultOf(await resources.list(asAsked()))
  expect((all as unknown[]).length).toBeLessThan(90)
  expect((all as unknown[]).length).toBeGreaterThan(50)
})
