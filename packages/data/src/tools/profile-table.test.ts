import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecret } from '@dataagent/schema'
import { createDatabase, findService, temporaryDirectory } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDuckdb } from '../engines/test-sources.ts'
import {
  ada,
  administrator,
  bo,
  openTestDataRoom,
  type TestDataRoom,
  textOf,
} from '../test-data-room.ts'
import { createShop, findShopKinds, sales } from '../test-shop.ts'
import { openShopRoom } from './test-shop-room.ts'

describe.each(await findShopKinds())('profile_table on %s', (kind) => {
  const cleanup = new AsyncDisposableStack()
  let room: TestDataRoom

  beforeAll(async () => {
    room = cleanup.use(await openTestDataRoom())
    const { source: location } = cleanup.use(await createShop(kind))
    const notes = {
      tables: { regions: { hidden: true }, sales: { columns: { sold_on: { hidden: true } } } },
    }
    await room.sources.create(administrator, { name: 'Shop', description: '', location, notes })
  })
  afterAll(() => cleanup.disposeAsync())

  test('tells how many values a column has, how many differ, the least and the greatest', async () => {
    const text = textOf(await room.call('profile_table', { source: 'Shop', table: 'SALES' }))
    const [title, head, ...lines] = text.split('\n')
    expect(title).toBe('sales: 120 rows')
    expect(head).toBe('column | type | values | distinct | least | greatest')
    expect(lines.map((line) => line.split(' | ').toSpliced(1, 1))).toEqual([
      ['id', '120', '120', sales[0]![0], sales[119]![0]],
      ['region', '120', '4', 'east', '西部'],
      ['amount', '120', '120', sales[0]![2], sales[119]![2]],
    ])
  })

  test.each(['regions', 'nowhere'])('a table %s is not there', async (table) => {
    const outcome = await room.call('profile_table', { source: 'Shop', table })
    expect(outcome).toMatchObject({ error: { code: 'not_found' } })
    expect(textOf(outcome)).toContain(`There is no table ${table} in Shop.`)
  })
})

describe('a profile is a query', () => {
  const asked = { source: 'Shop', table: 'sales' }

  test('that is in the log, and under the time that one may take', async () => {
    await using room = await openShopRoom()
    await room.call('profile_table', asked)
    const logged = await room.store.queries.list('default', { limit: 5, offset: 0 })
    expect(logged).toMatchObject([
      { user_id: 'ada', source_id: room.source_id, purpose: 'Profile of sales', error: null },
    ])
    await using folder = await temporaryDirectory()
    const path = join(folder.path, 'slow.duckdb')
    const slow = 'SELECT count(*) AS n FROM range(1000000000000) a WHERE a.range % 7 = 1'
    await makeDuckdb(path, [`CREATE VIEW slow AS ${slow}`])
    await using brief = await openTestDataRoom({ queries: { timeoutMs: 500 } })
    const location = { kind: 'duckdb', path } as const
    await brief.sources.create(administrator, { name: 'Slow', description: '', location })
    const outcome = await brief.call('profile_table', { source: 'Slow', table: 'slow' })
    expect(outcome).toMatchObject({ error: { code: 'timeout' } })
  })

  test('that takes one of the places of whoever asks', async () => {
    await using room = await openShopRoom({ queries: { perUser: 1 } })
    const ending = new AbortController()
    const slow = 'SELECT count(*) FROM range(1000000000000) a WHERE a.range % 7 = 1'
    const context = { principal: ada, session_id: 's1', signal: ending.signal }
    const long = room.queries.run(context, { source: 'shop', sql: slow }).catch(({ code }) => code)
    const profile = room.call('profile_table', asked).then(textOf)
    const others = room.call('profile_table', asked, { principal: bo }).then(() => 'of bo')
    expect(await Promise.race([profile, others])).toBe('of bo')
    ending.abort()
    expect([await long, await profile]).toEqual([
      'cancelled',
      expect.stringMatching(/^sales: 120 rows/),
    ])
  })

  test('that is not longer than one may be, however long the names of columns are', async () => {
    await using room = await openTestDataRoom()
    await using folder = await temporaryDirectory()
    const names = Array.from({ length: 40 }, (_, i) => `${'n'.repeat(400)}${i}`)
    const row = names.map((_, i) => i).join(',')
    await writeFile(join(folder.path, 'wide.csv'), `${names.join(',')}\n${row}\n`)
    const location = { kind: 'files', folder: folder.path } as const
    await room.sources.create(administrator, { name: 'Wide', description: '', location })
    const text = textOf(await room.call('profile_table', { source: 'Wide', table: 'wide' }))
    expect(text).toMatch(/^wide: 1 rows\n[\s\S]*\n\d+ more columns are not shown\.$/)
  })
})

test.skipIf(!(await findService('postgres')))(
  'columns that PostgreSQL cannot compare are profiled as far as they can be',
  async () => {
    await using room = await openTestDataRoom()
    await using database = await createDatabase('postgres')
    await database.query(`CREATE SCHEMA hr; CREATE TABLE hr."Odd.ones" (
      u uuid, j json, b jsonb, x xml, p point, a int[], f boolean, h bytea, r int4range, i inet)`)
    await database.query(`CREATE TABLE hr.odd AS SELECT gen_random_uuid() AS u, '{}'::json AS j,
      '{}'::jsonb AS b, '<a/>'::xml AS x, point(1, 2) AS p, ARRAY[1] AS a, true AS f,
      '\\x00'::bytea AS h, int4range(1, 2) AS r, '10.0.0.1'::inet AS i`)
    const location = { kind: 'postgres', url: createSecret(database.url) } as const
    await room.sources.create(administrator, { name: 'Odd', description: '', location })
    const text = textOf(await room.call('profile_table', { source: 'odd', table: 'hr.odd' }))
    expect(text).toMatch(/^hr\.odd: 1 rows\n/)
    expect(text.split('\n').map((line) => line.split(' | ')[2])).toEqual([
      undefined,
      'values',
      ...Array.from({ length: 10 }, () => '1'),
    ])
  },
)
