import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DataRow, dataSourceSchema } from '@dataagent/schema'
import { createFakeClock, temporaryDirectory } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ada,
  administrator,
  bo,
  openTestDataRoom,
  stranger,
  type TestDataRoom,
  tenantAdministrator,
} from '../test-data-room.ts'
import { createShop, findShopKinds } from '../test-shop.ts'
import type { OpenSource } from './contract.ts'

const cleanup = new AsyncDisposableStack()
const clock = createFakeClock()
let room: TestDataRoom
let folder = ''

beforeAll(async () => {
  folder = cleanup.use(await temporaryDirectory()).path
  const folderOf = async ({ user_id }: { user_id: string }) => join(folder, 'users', user_id)
  for (const user_id of ['ada', 'bo']) {
    await mkdir(join(folder, 'users', user_id), { recursive: true })
    await writeFile(join(folder, 'users', user_id, 'mine.csv'), `owner\n${user_id}\n`)
  }
  await mkdir(join(folder, 'shared'))
  await writeFile(join(folder, 'shared', 'things.csv'), 'thing\none\n')
  room = cleanup.use(await openTestDataRoom({ sources: { folderOf, clock, maxSources: 8 } }))
})
afterAll(() => cleanup.disposeAsync())

const made = (name: string) =>
  room.sources.create(administrator, {
    ...{ name, description: 'Things', location: { kind: 'files', folder: join(folder, 'shared') } },
  })

async function ask({ engine }: OpenSource, sql: string): Promise<DataRow[]> {
  const { batches } = await engine.query(sql, { timeoutMs: 20_000 })
  return (await Array.fromAsync(batches)).flat() as DataRow[]
}

describe('who may what', () => {
  const location = { kind: 'files', folder: '/etc' } as const
  const mysql = { kind: 'mysql', host: 'db', user: 'u', database: 'd' } as const

  test.each([ada, { ...administrator, agent_id: 'a' }])(
    'registers none: $user_id $agent_id',
    async (principal) => {
      const asked = room.sources.create(principal, { name: 'X', description: '', location: mysql })
      await expect(asked).rejects.toMatchObject({ code: 'forbidden' })
    },
  )

  test("files of the machine are for the platform's administrators, also by a change", async () => {
    const files = { name: 'Etc', description: '', location }
    const asked = room.sources.create(tenantAdministrator, files)
    await expect(asked).rejects.toMatchObject({ code: 'forbidden' })
    const { source_id } = await room.sources.create(tenantAdministrator, {
      ...{ ...files, location: mysql },
    })
    const change = room.sources.update(tenantAdministrator, source_id, { location })
    await expect(change).rejects.toMatchObject({ code: 'forbidden' })
    await room.sources.remove(tenantAdministrator, source_id)
  })

  test('a source is there for its tenant alone', async () => {
    const { source_id } = await made('Things')
    expect((await room.sources.list(bo)).map(({ name }) => name)).toEqual(['Things', 'workspace'])
    expect((await room.sources.list(stranger)).map(({ name }) => name)).toEqual(['workspace'])
    for (const asked of [source_id, 'things']) {
      await expect(room.sources.open(stranger, asked)).rejects.toMatchObject({ code: 'not_found' })
    }
    const change = room.sources.update(stranger, source_id, { enabled: false })
    await expect(change).rejects.toMatchObject({ code: 'not_found' })
    await expect(room.sources.notes(ada, source_id)).rejects.toMatchObject({ code: 'forbidden' })
    const whole = room.sources.describeWhole(ada, source_id)
    await expect(whole).rejects.toMatchObject({ code: 'forbidden' })
    await room.sources.remove(administrator, source_id)
  })
})

describe('names', () => {
  test('are the same whatever their case, and blanks around them', async () => {
    const { source_id } = await made('Things')
    const opened = await room.sources.open(ada, ' THINGS ')
    expect(opened.source.source_id).toBe(source_id)
    await expect(made('things')).rejects.toMatchObject({ code: 'conflict' })
    await room.sources.remove(administrator, source_id)
  })

  test.each(['workspace', ' Workspace', '  '])('%j is not for a source', async (name) => {
    await expect(made(name)).rejects.toThrow(/name/)
    const { source_id } = await made('Other')
    await expect(room.sources.update(administrator, source_id, { name })).rejects.toThrow(/name/)
    await room.sources.remove(administrator, source_id)
  })
})

test('there are so many of one tenant at most', async () => {
  const ids = []
  for (let i = 0; i < 8; i += 1) ids.push((await made(`T${i}`)).source_id)
  await expect(made('T8')).rejects.toMatchObject({ code: 'quota_exceeded' })
  for (const id of ids) await room.sources.remove(administrator, id)
})

describe("everybody's own files", () => {
  test.each([
    ['ada', ada],
    ['bo', bo],
  ])('are those of %s', async (user_id, principal) => {
    const opened = await room.sources.open(principal, 'Workspace')
    expect(await ask(opened, 'SELECT owner FROM mine')).toEqual([[user_id]])
  })

  test('are there for no machine', async () => {
    const machine = { ...ada, user_id: null }
    expect(await room.sources.list(machine)).toEqual([])
    await expect(room.sources.open(machine, 'workspace')).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('a change', () => {
  test('closes what was opened before it, and what runs on it', async () => {
    const { source_id } = await made('Things')
    const before = await room.sources.open(ada, 'things')
    await ask(before, 'SELECT * FROM things')
    const endless = 'SELECT count(*) FROM range(1000000000000) a WHERE a.range % 7 = 1'
    const running = ask(before, endless).catch((error) => error)
    await room.sources.update(administrator, source_id, { description: 'Others' })
    expect(await running).toMatchObject({ code: 'unavailable' })
    await expect(ask(before, 'SELECT 1')).rejects.toMatchObject({ code: 'unavailable' })
    const after = await room.sources.open(ada, 'things')
    expect(await ask(after, 'SELECT * FROM things')).toEqual([['one']])
    expect(after.source.description).toBe('Others')
    await room.sources.remove(administrator, source_id)
  })

  test('of where it is reached makes it unchecked', async () => {
    const { source_id } = await made('Things')
    const checked = await room.sources.check(administrator, source_id)
    expect(checked).toMatchObject({ status: 'ok', read_only: true, checked_at: clock.now() })
    expect(checked.status_text).toMatch(/^DuckDB /)
    const location = { kind: 'files', folder: join(folder, 'missing') } as const
    const changed = await room.sources.update(administrator, source_id, { location })
    expect(changed).toMatchObject({ status: 'unknown', read_only: null })
    expect(changed).not.toHaveProperty('checked_at')
    const failing = await room.sources.check(administrator, source_id)
    expect(failing).toMatchObject({
      ...{ status: 'failing', status_text: 'The folder of this source is not there.' },
    })
    await room.sources.remove(administrator, source_id)
  })

  test('leaves what it does not name', async () => {
    const notes = { tables: { things: { description: 'All of them' } } }
    const { source_id } = await made('Things')
    await room.sources.update(administrator, source_id, { notes })
    await room.sources.update(administrator, source_id, { name: 'Goods' })
    expect(await room.sources.notes(administrator, source_id)).toEqual(notes)
    const [table] = await room.sources.describe(ada, 'goods')
    expect(table).toMatchObject({ name: 'things', description: 'All of them' })
    await room.sources.remove(administrator, source_id)
  })

  test('of what is hidden holds at once', async () => {
    const { source_id } = await made('Things')
    expect(await ask(await room.sources.open(ada, 'things'), 'FROM things')).toEqual([['one']])
    await room.sources.update(administrator, source_id, {
      ...{ notes: { tables: { things: { hidden: true } } } },
    })
    const opened = await room.sources.open(ada, 'things')
    await expect(ask(opened, 'FROM things')).rejects.toMatchObject({ code: 'not_found' })
    const whole = await room.sources.describeWhole(administrator, source_id)
    expect(whole.map(({ name }) => name)).toEqual(['things'])
    await room.sources.remove(administrator, source_id)
  })
})

test('a source that was removed is gone with what was said of it', async () => {
  const { source_id } = await made('Things')
  const opened = await room.sources.open(ada, 'things')
  await room.sources.remove(administrator, source_id)
  await expect(ask(opened, 'SELECT 1')).rejects.toMatchObject({ code: 'unavailable' })
  await expect(room.sources.open(ada, 'things')).rejects.toMatchObject({ code: 'not_found' })
  await expect(room.sources.remove(administrator, source_id)).rejects.toMatchObject({
    code: 'not_found',
  })
})

test.each(await findShopKinds())('%s is reached as it was registered', async (kind) => {
  await using shop = await createShop(kind)
  const { source_id } = await room.sources.create(administrator, {
    ...{ name: `Shop ${kind}`, description: '', location: shop.source },
  })
  const checked = await room.sources.check(administrator, source_id)
  expect(dataSourceSchema.parse(checked)).toMatchObject({ kind, status: 'ok' })
  const opened = await room.sources.open(ada, source_id)
  expect(await ask(opened, 'SELECT count(*) FROM sales')).toEqual([[120]])
  await room.sources.remove(administrator, source_id)
})
