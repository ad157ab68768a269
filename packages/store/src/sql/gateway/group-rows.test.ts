import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { aNote, notesOf } from '../test-builders.ts'
import { aGrant, aGroup } from './test-gateway-rows.ts'

await describeSql('rows of tool groups', (subject) => {
  const rows = () => subject().store.gateway.groups

  async function revisionOf(tenant_id: string): Promise<number | undefined> {
    const found = await subject().store.hub.revisions.changedSince(0)
    return found.find((row) => row.tenant_id === tenant_id && row.topic === 'groups')?.revision
  }

  test('a group comes back as it was stored, and is changed by column [E6.1]', async () => {
    const group = aGroup({ pinned_names: '{"a":"s/a"}', key_expires_at: 99 })
    const { tenant_id, group_id } = group
    const later = aGroup({ tenant_id, group_id: 'zz' })
    await rows().create(later)
    await rows().create(group)
    expect(await rows().load(tenant_id)).toEqual([group, later])
    expect(await rows().load()).toContainEqual(group)
    expect(await rows().get(group_id)).toEqual(group)
    await rows().update(tenant_id, group_id, { enabled: 0, api_key: null })
    expect(await rows().get(group_id)).toEqual({ ...group, enabled: 0, api_key: null })
    expect(await rows().get('none')).toBeUndefined()
    expect(await rows().get(`${group_id} `)).toBeUndefined()
  })

  test('of any number at once as many are made as the tenant may have', async () => {
    const make = () => rows().create(aGroup({ tenant_id: 'full' }), { max: 2 })
    const settled = await Promise.allSettled([make(), make(), make()])
    const refused = settled.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: { code: 'quota_exceeded' } }])
    await rows().create(aGroup(), { max: 1 })
  })

  test('an id, and the hash of a key, are given once in the installation [E6.1]', async () => {
    const group = aGroup()
    await rows().create(group)
    const { group_id, hashed_api_key } = group
    for (const other of [aGroup({ group_id }), aGroup({ hashed_api_key })]) {
      await expect(rows().create(other)).rejects.toMatchObject({ code: 'conflict' })
    }
    const others = [aGroup({ hashed_api_key: null }), aGroup({ hashed_api_key: null })]
    for (const other of others) await rows().create(other)
    const unknown = rows().create(aGroup({ group_id: 'a ' }))
    await expect(unknown).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('a group of another tenant is neither changed nor deleted', async () => {
    const group = aGroup()
    await rows().create(group)
    const update = rows().update('other', group.group_id, { enabled: 0 })
    await expect(update).rejects.toMatchObject({ code: 'not_found' })
    expect(await rows().delete('other', group.group_id, 5)).toBe(false)
    expect(await rows().get(group.group_id)).toEqual(group)
  })

  test('each change takes a revision and is noted; a refused one does neither', async () => {
    const group = aGroup()
    const { tenant_id, group_id } = group
    const note = () => ({ note: aNote({ tenant_id, kind: 'tool_group', target: group_id }) })
    const changes = [
      () => rows().create(group, note()),
      () => rows().update(tenant_id, group_id, { name: 'b' }, note()),
      () => rows().update(tenant_id, group_id, {}, note()),
      () => rows().delete(tenant_id, group_id, 5, note()),
    ]
    const revisions: number[] = []
    for (const change of changes) {
      await change()
      revisions.push((await revisionOf(tenant_id))!)
    }
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b))
    await expect(rows().update(tenant_id, group_id, {}, note())).rejects.toThrow()
    expect(await rows().delete(tenant_id, group_id, 5, note())).toBe(false)
    expect(await revisionOf(tenant_id)).toBe(revisions.at(-1))
    expect(await notesOf(subject().store, tenant_id)).toHaveLength(4)
  })

  test('of rotations at once from two processes one takes place', async () => {
    const group = aGroup()
    const { tenant_id, group_id } = group
    await rows().create(group)
    const stores = [rows(), subject().open().gateway.groups]
    const rotate = (n: number) =>
      stores[n % 2]!.update(
        ...([tenant_id, group_id] as const),
        { key_number: 2, hashed_api_key: `${group_id}-${n}` },
        { ifKeyNumber: 1 },
      )
    const done = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => rotate(n)))
    const refused = done.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(9)
    for (const each of refused) expect(each).toMatchObject({ reason: { code: 'conflict' } })
    const winner = done.findIndex(({ status }) => status === 'fulfilled')
    expect((await rows().get(group_id))?.hashed_api_key).toBe(`${group_id}-${winner}`)
  })

  test('a group that is deleted takes its grants along, and no others', async () => {
    const { grants } = subject().store.gateway
    const group = aGroup()
    const { tenant_id, group_id } = group
    await rows().create(group)
    const own = aGrant({ tenant_id, group_id })
    const before = aGrant({ tenant_id, group_id, revoked_at: 3 })
    const others = [aGrant({ tenant_id }), aGrant({ group_id })]
    for (const grant of [own, before, ...others]) await grants.create(grant)
    expect(await rows().delete(tenant_id, group_id, 5)).toBe(true)
    expect((await grants.get(own.grant_id))?.revoked_at).toBe(5)
    expect((await grants.get(before.grant_id))?.revoked_at).toBe(3)
    for (const other of others) expect(await grants.get(other.grant_id)).toEqual(other)
  })

  test('a pinned name stays what it was, and of two processes the first decides', async () => {
    const group = aGroup({ pinned_names: '{"a":"s1/a"}' })
    const { tenant_id, group_id } = group
    await rows().create(group)
    expect(await rows().pinNames(group_id, { a: 's2/a' })).toEqual({ a: 's1/a' })
    expect(await revisionOf(tenant_id)).toBeDefined()
    const before = await revisionOf(tenant_id)
    await rows().pinNames(group_id, { a: 's3/a' })
    expect(await revisionOf(tenant_id)).toBe(before)
    const stores = [rows(), subject().open().gateway.groups]
    const seen = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        stores[n % 2]!.pinNames(group_id, { b: `s${n}/b`, [`own${n}`]: `s/${n}` }),
      ),
    )
    expect(new Set(seen.map(({ b }) => b)).size).toBe(1)
    const all = await rows().pinNames(group_id, {})
    expect(all).toMatchObject({ a: 's1/a', b: seen[0]!.b! })
    expect(Object.keys(all)).toHaveLength(10)
    expect(await revisionOf(tenant_id)).toBeGreaterThan(before!)
    const none = rows().pinNames('none', { a: 'b' })
    await expect(none).rejects.toMatchObject({ code: 'not_found' })
  })

  test('rows with a key and no hash of it are found for the one-time command [E6.1]', async () => {
    const unhashed = aGroup({ hashed_api_key: null, key_mac: null })
    const keyless = aGroup({ hashed_api_key: null, api_key: null })
    for (const group of [unhashed, keyless, aGroup()]) await rows().create(group)
    const found = (await rows().listUnhashed()).map(({ group_id }) => group_id)
    expect(found).toContain(unhashed.group_id)
    expect(found).not.toContain(keyless.group_id)
    expect(await rows().listUnhashed()).toContainEqual(unhashed)
  })
})
