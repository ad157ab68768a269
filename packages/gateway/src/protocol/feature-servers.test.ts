import { expect, test } from 'vitest'
import type { ListKind } from './feature-lists.ts'
import { asAsked, createTestFeatures, type TestServer } from './test-features.ts'

const method = 'resources/list'
const kind: ListKind = { capability: 'resources', method, judgedAs: method, member: 'resources' }
const has = { [method]: [{ uri: 'file:///x' }] }

/** A server with a connection for each person, and a shared one. */
function openServers(own: Partial<TestServer> = {}) {
  const { features, ...rest } = createTestFeatures([
    { server_id: 'own', created_at: 1, user_id: 'each', has, ...own },
    { server_id: 'shared', created_at: 2, has },
  ])
  const gather = (who: string) => features.gather(asAsked({}, who), kind, 'current')
  return { ...rest, gather }
}

test('a slow connection of one person hides the server from no other [E5.2]', async () => {
  const { clock, servers, asked, gather } = openServers({ ms: 60_000 })
  const first = gather('ann')
  await clock.advanceAsync(3_000)
  expect(await first).toMatchObject({ members: { length: 1 }, isWhole: false })
  servers.get('own')!.ms = undefined
  expect(await gather('bob')).toMatchObject({ members: { length: 2 }, isWhole: true })
  await clock.advanceAsync(7_000)
  asked.length = 0
  expect(await gather('ann')).toMatchObject({ members: { length: 1 }, isWhole: false })
  expect(asked).toEqual([])
  await clock.advanceAsync(30_000)
  expect(await gather('ann')).toMatchObject({ members: { length: 2 }, isWhole: true })
})

test('many who ask at once share one question, and wait no longer than the first', async () => {
  const { clock, asked, gather } = openServers({ ms: 60_000 })
  const first = gather('ann')
  await clock.advanceAsync(2_000)
  const more = Promise.all(Array.from({ length: 20 }, () => gather('ann')))
  await clock.advanceAsync(1_000)
  expect(await first).toMatchObject({ isWhole: false })
  expect(await more).toHaveLength(20)
  expect(asked).toEqual([`own ${method} ann`, `shared ${method} ann`])
})
