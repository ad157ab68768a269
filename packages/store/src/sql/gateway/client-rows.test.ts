import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { aClient, aGrant } from './test-gateway-rows.ts'

const room = { max: 1_000 }

await describeSql('rows of programs that connect', (subject) => {
  const rows = () => subject().store.gateway.clients

  test('a program comes back as it was stored, is touched and deleted', async () => {
    const client = aClient({ client_name: '"<b>Dify</b>', kind: 'static', created_at: 5 })
    const { client_id } = client
    expect(await rows().create(client, room)).toBe(true)
    expect(await rows().get(client_id)).toEqual(client)
    await rows().touch(client_id, 77)
    expect(await rows().get(client_id)).toEqual({ ...client, last_used_at: 77 })
    await expect(rows().create(client, room)).rejects.toMatchObject({ code: 'conflict' })
    expect(await rows().get(`${client_id} `)).toBeUndefined()
    expect(await rows().delete(client_id)).toBe(true)
    expect(await rows().delete(client_id)).toBe(false)
  })

  test('the newest come first', async () => {
    const [older, newer] = [aClient({ created_at: 900 }), aClient({ created_at: 901 })]
    for (const client of [older, newer]) await rows().create(client, room)
    expect(await rows().list({ limit: 2 })).toEqual([newer, older])
    for (const { client_id } of [older, newer]) await rows().delete(client_id)
  })

  test('those that register themselves are at most so many, from two processes at once', async () => {
    const stores = [rows(), subject().open().gateway.clients]
    const before = (await rows().list({ limit: 1_000 })).filter(({ kind }) => kind === 'dynamic')
    const max = before.length + 5
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => stores[n % 2]!.create(aClient(), { max })),
    )
    expect(made.filter(Boolean)).toHaveLength(5)
    expect(await rows().create(aClient({ kind: 'static' }), { max })).toBe(true)
    const all = await rows().list({ limit: 1_000 })
    expect(all.filter(({ kind }) => kind === 'dynamic')).toHaveLength(max)
  })

  test('those that nobody used go away, unless they hold a grant or were set up by hand', async () => {
    for (const { client_id } of await rows().list({ limit: 1_000 })) await rows().delete(client_id)
    const unused = [aClient({ created_at: 1 }), aClient({ created_at: 2, last_used_at: 3 })]
    const granted = aClient()
    const kept = [granted, aClient({ kind: 'static' }), aClient({ last_used_at: 50 })]
    for (const client of [...unused, ...kept]) await rows().create(client, room)
    await subject().store.gateway.grants.create(aGrant({ client_id: granted.client_id }))
    expect(await rows().deleteUnused(50, 1)).toBe(1)
    expect(await rows().deleteUnused(50, 10)).toBe(1)
    expect(await rows().deleteUnused(50, 10)).toBe(0)
    const left = (await rows().list({ limit: 10 })).map(({ client_id }) => client_id)
    expect(left.sort()).toEqual(kept.map(({ client_id }) => client_id).sort())
  })
})
