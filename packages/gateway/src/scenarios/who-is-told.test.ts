import { systemClock } from '@dataagent/guard'
import { platformTenant } from '@dataagent/hub'
import { waitFor } from '@dataagent/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createNews, type NewsOptions } from '../entries/index.ts'
import type { Caller } from '../protocol/index.ts'

type Notice = Parameters<Parameters<NewsOptions['hub']['features']['onNotice']>[0]>[0]

/** News of a hub that says what a test wants it to. */
function createTestNews(ownerOf: NewsOptions['ownerOf'] = async () => 'mall') {
  let say = (_notice: Notice) => {}
  let change = () => {}
  const subscribed: string[] = []
  const quiet = { onChange: () => () => {} }
  const features = {
    onNotice: (handler: typeof say) => {
      say = handler
      return () => {}
    },
    list: () => [{ server_id: 'mall' }],
    subscribe: async (_context: unknown, { uri }: { uri: string }) => {
      subscribed.push(uri)
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
  const news = createNews({ hub, groups, clock: systemClock, toolsOf: () => '', ownerOf })
  onTestFinished(news.close)
  return { news, subscribed, say: (notice: Notice) => say(notice), change: () => change() }
}

const uri = 'file:///x'
const bob = { principal: { tenant_id: 'B', user_id: 'bob' } } as Caller

test('what happens to one tenant or person is told to no other [E6.1]', () => {
  const { news, say } = createTestNews()
  const told: string[] = []
  news.listen(bob, { resources: true, uris: [uri] }, (method) => told.push(method))
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

test('a subscription that failed is tried again when something has changed [E3.1]', async () => {
  let tries = 0
  const { news, subscribed, change } = createTestNews(async () => {
    tries += 1
    if (tries === 1) throw new Error('away')
    return tries === 2 ? undefined : 'mall'
  })
  news.listen(bob, { uris: [uri] }, () => {})
  for (const count of [1, 2, 3]) {
    await waitFor(() => {
      if (tries < count) change()
      return tries >= count
    })
  }
  await waitFor(() => subscribed.length === 1)
  change()
  expect([tries, subscribed]).toEqual([3, [uri]])
})
