import { setImmediate } from 'node:timers/promises'
import { type Clock, systemClock } from '@dataagent/guard'
import { platformTenant } from '@dataagent/hub'
import { waitFor } from '@dataagent/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createNews, type NewsOptions } from '../entries/index.ts'
import type { Caller } from '../protocol/index.ts'
import { createMovingClock } from './test-moving-clock.ts'

type Notice = Parameters<Parameters<NewsOptions['hub']['features']['onNotice']>[0]>[0]

/** News of a hub that says what a test wants it to. */
function createTestNews(
  ownersOf: NewsOptions['ownersOf'] = async () => () => 'mall',
  clock: Clock = systemClock,
) {
  let servers = [{ server_id: 'mall', capabilities: { resources: {} } as object }]
  let isRefused = false
  let say = (_notice: Notice) => {}
  let change = () => {}
  const subscribed: string[] = []
  const quiet = { onChange: () => () => {} }
  const features = {
    onNotice: (handler: typeof say) => {
      say = handler
      return () => {}
    },
    list: () => servers,
    subscribe: async (_context: unknown, { uri }: { uri: string }) => {
      subscribed.push(uri)
      if (isRefused) throw new Error('not allowed')
      return async () => {}
    },
  }
  const hub = { catalogue: quiet, policy: quiet, features } as unknown as NewsOptions['hub']
  const groups: NewsOptions['groups'] = {
    onChange: (handler) => {
      change = () => handler(undefined as never)
      return () => {}
    },
  }
  const news = createNews({ hub, groups, clock, toolsOf: () => '', ownersOf })
  onTestFinished(news.close)
  return {
    ...{ news, subscribed, say: (notice: Notice) => say(notice), change: () => change() },
    /** What the server has for the listener, and whether it lets it subscribe. */
    allow(capabilities: object, subscribes: boolean) {
      servers = [{ server_id: 'mall', capabilities }]
      isRefused = !subscribes
    },
    /** Another server, or none of it. */
    changeServers() {
      const [mall] = servers
      servers = servers.length > 1 || !mall ? [mall!] : [mall, { ...mall, server_id: 'shop' }]
      change()
    },
  }
}

const uri = 'file:///x'
const bob = { principal: { tenant_id: 'B', user_id: 'bob' } } as Caller

test('what happens to one tenant or person is told to no other [E6.1]', async () => {
  const { news, say, subscribed } = createTestNews()
  const told: string[] = []
  news.listen(bob, { resources: true, uris: [uri] }, (method) => told.push(method))
  await waitFor(() => subscribed.length === 1)
  await setImmediate()
  const notices = [{ kind: 'resource_updated', uri }, { kind: 'resources_changed' }] as const
  const from = (tenant_id: string, user_id: string | null) => {
    for (const notice of notices) say({ tenant_id, user_id, server_id: 'mall', notice })
  }
  from('A', null)
  from('A', 'bob')
  from('B', 'alice')
  expect(told).toEqual([])
  from('B', 'bob')
  from('B', null)
  from(platformTenant, null)
  expect(told).toHaveLength(6)
})

const all = { prompts: true, resources: true, uris: [uri] }
const kinds = [
  { kind: 'resource_updated', uri },
  { kind: 'resources_changed' },
  { kind: 'prompts_changed' },
] as const

test.each([
  [{ prompts: {} }, false, ['prompts/list_changed']],
  [{ prompts: {} }, true, ['prompts/list_changed']],
  [{ resources: {} }, false, ['resources/list_changed']],
  [{ resources: {} }, true, ['resources/updated', 'resources/list_changed']],
])(
  'of a server with %j for it, one whose subscription holds or not (%s) is told %j [E3.1][E6.1]',
  async (capabilities, subscribes, expected) => {
    const { news, say, subscribed, allow } = createTestNews()
    allow(capabilities, subscribes)
    const told: string[] = []
    news.listen(bob, all, (method) => told.push(method.replace('notifications/', '')))
    await waitFor(() => subscribed.length === 1)
    await setImmediate()
    for (const notice of kinds) say({ tenant_id: 'B', user_id: null, server_id: 'mall', notice })
    expect(told).toEqual(expected)
  },
)

test('what another server tells of a resource of the same name is not told [E3.1]', async () => {
  const { news, say, subscribed, changeServers } = createTestNews()
  const told: string[] = []
  news.listen(bob, { uris: [uri] }, (method) => told.push(method))
  await waitFor(() => subscribed.length === 1)
  await setImmediate()
  changeServers()
  const notice = { kind: 'resource_updated', uri } as const
  say({ tenant_id: 'B', user_id: null, server_id: 'shop', notice })
  expect(told).toEqual([])
  say({ tenant_id: 'B', user_id: null, server_id: 'mall', notice })
  expect(told).toEqual(['notifications/resources/updated'])
})

test('a subscription that failed is tried again when its servers have changed [E3.1]', async () => {
  let tries = 0
  const { news, subscribed, changeServers } = createTestNews(async () => {
    tries += 1
    if (tries === 1) throw new Error('away')
    return () => (tries === 2 ? undefined : 'mall')
  })
  news.listen(bob, { uris: [uri] }, () => {})
  for (const count of [1, 2, 3]) {
    await waitFor(
      () => {
        if (tries < count) changeServers()
        return tries >= count
      },
      { timeoutMs: 20_000, intervalMs: 100 },
    )
  }
  await waitFor(() => subscribed.length === 1)
  changeServers()
  expect([tries, subscribed]).toEqual([3, [uri]])
})

test('one that fails again and again is tried ever more seldom, and not for others’ changes [E5.2]', async () => {
  const clock = createMovingClock()
  let tries = 0
  const { news, change, changeServers, say } = createTestNews(async () => {
    tries += 1
    return () => undefined
  }, clock)
  const told: string[] = []
  news.listen(bob, { resources: true, uris: [uri] }, (method) => told.push(method))
  const settle = async () => {
    clock.advance(51)
    await setImmediate()
  }
  for (let i = 0; i < 20; i += 1) {
    change()
    await settle()
  }
  expect([tries, told.length]).toEqual([1, 0])
  for (let i = 0; i < 10; i += 1) {
    changeServers()
    await settle()
  }
  expect([tries, told.length]).toEqual([2, 10])
  clock.advance(1_000)
  await settle()
  expect(tries).toBe(3)
  clock.advance(600_000)
  await settle()
  expect(tries).toBe(3)
  say({ tenant_id: 'B', user_id: null, server_id: 'mall', notice: { kind: 'resources_changed' } })
  await settle()
  expect(tries).toBe(4)
})
