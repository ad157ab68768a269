import { createSecret } from '@dataagent/schema'
import { createDatabase, findService } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administrator, openTestDataRoom, type TestDataRoom, textOf } from '../test-data-room.ts'
import { createShop, findShopKinds, sales } from '../test-shop.ts'

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
