import { createSecret, type DataSource, dataSourceSchema } from '@dataagent/schema'
import { createCanary } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administrator, stranger, structuredOf, textOf } from '../test-data-room.ts'
import { openShopRoom, type ShopRoom } from './test-shop-room.ts'

const cleanup = new AsyncDisposableStack()
let room: ShopRoom

beforeAll(async () => {
  room = cleanup.use(await openShopRoom())
})
afterAll(() => cleanup.disposeAsync())

test('lists sources with what they hold and nothing of how they are reached', async () => {
  const outcome = await room.call('list_sources')
  expect(textOf(outcome)).toBe('Shop (files): What was sold')
  const { sources } = structuredOf<{ sources: DataSource[] }>(outcome)
  expect(sources.map((source) => dataSourceSchema.parse(source))).toEqual(sources)
  expect(JSON.stringify(outcome)).not.toContain('dataagent-test-')
})

test('another tenant has none', async () => {
  const outcome = await room.call('list_sources', {}, { principal: stranger })
  expect(textOf(outcome)).toBe('There is no source yet.')
})

test('one that is switched off is not offered, and asked for it is said so', async () => {
  await room.sources.update(administrator, room.source_id, { enabled: false })
  expect(textOf(await room.call('list_sources'))).toBe('There is no source yet.')
  const outcome = await room.call('run_sql', { source: 'Shop', sql: 'SELECT 1' })
  expect(textOf(outcome)).toBe('The source Shop is switched off.')
  const unknown = await room.call('run_sql', { source: 'Shops', sql: 'SELECT 1' })
  expect(textOf(unknown)).toBe('There is no source "Shops". There is none.')
  await room.sources.update(administrator, room.source_id, { enabled: true })
})

test('a source that is not known is told with those that are', async () => {
  const outcome = await room.call('run_sql', { source: 'Shops', sql: 'SELECT 1' })
  expect(outcome).toMatchObject({ status: 'failed', error: { code: 'not_found' } })
  expect(textOf(outcome)).toBe('There is no source "Shops". There are: Shop.')
})

test('one that does not answer is told, with why and where to administrators alone', async () => {
  const { password } = createCanary()
  const { source_id } = await room.sources.create(administrator, {
    ...{ name: 'Far', description: 'Away' },
    location: {
      ...{ kind: 'postgres', host: '127.0.0.1', port: 1, user: 'u', database: 'd' },
      password: createSecret(password),
    },
  })
  await room.sources.check(administrator, source_id)
  expect(textOf(await room.call('list_sources', {}, { principal: administrator }))).toMatch(
    /^Far \(postgres\) \(does not answer: .*127\.0\.0\.1:1.*\): Away$/m,
  )
  const asked = [
    await room.call('list_sources'),
    await room.call('describe_source', { source: 'Far' }),
    await room.call('run_sql', { source: 'Far', sql: 'SELECT 1' }),
  ]
  expect(textOf(asked[0]!)).toMatch(/^Far \(postgres\) \(does not answer\): Away$/m)
  expect(textOf(asked[2]!)).toMatch(/does not answer/)
  expect(JSON.stringify(asked)).not.toMatch(/127\.0\.0\.1/)
  await room.sources.remove(administrator, source_id)
})
