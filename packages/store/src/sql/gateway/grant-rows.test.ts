import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { aNote, notesOf } from '../test-builders.ts'
import { aGrant } from './test-gateway-rows.ts'

await describeSql('rows of grants', (subject) => {
  const rows = () => subject().store.gateway.grants

  test('a grant comes back as it was stored', async () => {
    const grant = aGrant({ key_id: 'g.1', user_id: null, profile: 'seed' })
    await rows().create(grant)
    expect(await rows().get(grant.grant_id)).toEqual(grant)
    expect(await rows().get('none')).toBeUndefined()
    await expect(rows().create(grant)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('of rotations at once from two processes one takes place [E2.3]', async () => {
    const grant = aGrant()
    const { grant_id } = grant
    await rows().create(grant)
    const stores = [rows(), subject().open().gateway.grants]
    const change = (n: number) => ({ from: 'h1', to: `h2-${n}`, at: 50 + n, expires_at: 2_000 + n })
    const done = await Promise.all(
      Array.from({ length: 20 }, (_, n) => stores[n % 2]!.rotate(grant_id, change(n))),
    )
    expect(done.filter(Boolean)).toHaveLength(1)
    const n = done.indexOf(true)
    const at = 50 + n
    expect(await rows().get(grant_id)).toEqual({
      ...grant,
      ...{ refresh_hash: `h2-${n}`, previous_hash: 'h1', rotated_at: at, last_used_at: at },
      expires_at: 2_000 + n,
    })
  })

  test('one that is revoked is not rotated, and is revoked once', async () => {
    const grant = aGrant()
    const { grant_id, tenant_id } = grant
    await rows().create(grant)
    const note = () => ({ note: aNote({ tenant_id, kind: 'tool_group', target: 'g' }) })
    const stores = [rows(), subject().open().gateway.grants]
    const done = await Promise.all(
      Array.from({ length: 8 }, (_, n) => stores[n % 2]!.revoke({ grant_id }, 60 + n, note())),
    )
    expect(done.flat()).toEqual([grant_id])
    expect(await notesOf(subject().store, tenant_id)).toHaveLength(1)
    const rotated = rows().rotate(grant_id, { from: 'h1', to: 'h2', at: 70, expires_at: 9_000 })
    expect(await rotated).toBe(false)
    const revoked_at = 60 + done.findIndex((ids) => ids.length > 0)
    expect(await rows().get(grant_id)).toEqual({ ...grant, revoked_at })
  })

  test('all of a group are revoked, or those that one key gave [E2.4]', async () => {
    const tenant_id = randomUUID()
    const [first, second, person] = ['g.1', 'g.2', null].map((key_id) =>
      aGrant({ tenant_id, key_id }),
    )
    const elsewhere = aGrant({ key_id: 'g.1' })
    for (const grant of [first!, second!, person!, elsewhere]) await rows().create(grant)
    const of = { tenant_id, group_id: 'g' }
    expect(await rows().revoke({ ...of, key_id: 'g.1' }, 5)).toEqual([first!.grant_id])
    const others = [second!.grant_id, person!.grant_id]
    expect((await rows().revoke(of, 6)).sort()).toEqual(others.sort())
    expect(await rows().revoke(of, 7)).toEqual([])
    expect(await rows().get(elsewhere.grant_id)).toEqual(elsewhere)
  })

  test('all that a person allowed are revoked, or what they allowed by one key [E2.4]', async () => {
    const tenant_id = randomUUID()
    const [first, second, signedIn] = ['k1', 'k2', null].map((user_key_id) =>
      aGrant({ tenant_id, user_key_id }),
    )
    const others = [aGrant({ tenant_id, user_id: 'bo' }), aGrant({ user_key_id: 'k1' })]
    for (const grant of [first!, second!, signedIn!, ...others]) await rows().create(grant)
    const of = { tenant_id, user_id: 'ana' }
    expect(await rows().list({ ...of, user_key_id: 'k2', limit: 9 }, 0)).toEqual([second])
    expect(await rows().revoke({ ...of, user_key_id: 'k1' }, 5)).toEqual([first!.grant_id])
    const rest = [second!.grant_id, signedIn!.grant_id]
    expect((await rows().revoke(of, 6)).sort()).toEqual(rest.sort())
    for (const grant of others) expect(await rows().get(grant.grant_id)).toEqual(grant)
  })

  test('those that hold are listed, newest first', async () => {
    const tenant_id = randomUUID()
    const make = (fields: Parameters<typeof aGrant>[0]) => aGrant({ tenant_id, ...fields })
    const [old, young] = [make({ created_at: 1 }), make({ created_at: 2 })]
    const other = make({ group_id: 'h', user_id: 'bo', created_at: 3 })
    const ended = [make({ expires_at: 100 }), make({ revoked_at: 4 })]
    for (const grant of [old, young, other, ...ended]) await rows().create(grant)
    const list = (query: object, limit = 10) => rows().list({ tenant_id, limit, ...query }, 100)
    expect(await list({})).toEqual([other, young, old])
    expect(await list({ group_id: 'g' })).toEqual([young, old])
    expect(await list({ user_id: 'bo' })).toEqual([other])
    expect(await list({}, 1)).toEqual([other])
  })

  test('what has ended long ago is deleted, some at a time', async () => {
    const ended = [
      aGrant({ expires_at: 10 }),
      aGrant({ revoked_at: 10 }),
      aGrant({ expires_at: 9 }),
    ]
    const kept = [aGrant({ expires_at: 11 }), aGrant({ revoked_at: 11, expires_at: 99 })]
    for (const grant of [...ended, ...kept]) await rows().create(grant)
    let deleted = 0
    for (let n = 1; n > 0; deleted += n) n = await rows().deleteEnded(11, 2)
    expect(deleted).toBeGreaterThanOrEqual(3)
    for (const { grant_id } of ended) expect(await rows().get(grant_id)).toBeUndefined()
    for (const grant of kept) expect(await rows().get(grant.grant_id)).toEqual(grant)
  })
})
