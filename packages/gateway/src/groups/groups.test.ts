import { randomBytes } from 'node:crypto'
import { type Principal, platformTenant } from '@dataagent/hub'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GroupRow } from '../ports.ts'
import type { NewGroup } from './contract.ts'
import {
  admin,
  openInstallation,
  stranger,
  type TestInstallation,
  type TestProcess,
} from './test-groups.ts'

const alpha = [{ server_id: 'dataagent', tool: 'alpha' }]
const alphaAndBeta = [...alpha, { server_id: 'dataagent', tool: 'beta' }]

describe('tool groups', () => {
  const stack = new AsyncDisposableStack()
  let installation: TestInstallation
  let process: TestProcess
  let count = 0
  const clock = createFakeClock()
  beforeAll(async () => {
    installation = stack.use(await openInstallation({ clock }))
    process = await installation.start()
  })
  afterAll(() => stack.disposeAsync())

  const make = (group: Partial<NewGroup> = {}) =>
    process.groups.create(admin, { name: `Group ${++count}`, tools: alpha, ...group })
  const listed = (group_id: string, by: Partial<Principal> = {}) =>
    process.hub
      .listTools({ principal: { ...admin, role: 'user', group_id, ...by } })
      .map(({ tool }) => tool.name)

  test('a new group has its tools, and a key of 256 bits that opens it [E6.1]', async () => {
    const { group, key } = await make({ name: 'Front desk 1', description: '前台' })
    expect(key).toMatch(/^mk_[\w-]{43}$/)
    expect(group).toMatchObject({ group_id: 'front-desk-1', tenant_id: 'acme', enabled: true })
    expect(group.key).toMatchObject({ key_id: 'front-desk-1.1', can_copy: true, expires_at: null })
    expect(group.tools).toEqual(alpha)
    expect(listed(group.group_id)).toEqual(['alpha'])
    const found = process.groups.findByKey(key)
    expect(found).toMatchObject({ status: 'ok', key_id: 'front-desk-1.1' })
    expect(process.groups.view(admin, group.group_id)).toEqual(group)
    expect(process.groups.list(admin)).toContainEqual(group)
  })

  test('a tenant has so many groups', async () => {
    const { group } = await make()
    const rows = installation.sql.gateway.groups
    const row = (await rows.get(group.group_id))!
    for (let n = 0; n < 200; n++) {
      const own = { group_id: `full-${n}`, hashed_api_key: `full-${n}`, tenant_id: 'full' }
      await rows.create({ ...row, ...own })
    }
    const refused = process.groups.create({ ...admin, tenant_id: 'full' }, { name: 'X', tools: [] })
    await expect(refused).rejects.toMatchObject({ code: 'quota_exceeded' })
  })

  test('an id is made of the name, and another one where that is taken', async () => {
    const ids: string[] = []
    for (const name of ['Köln & Bonn', 'Köln & Bonn', '咨询', '咨询']) {
      ids.push((await make({ name })).group.group_id)
    }
    expect(ids[0]).toBe('ko-ln-bonn')
    expect(ids[1]).toMatch(/^ko-ln-bonn-[0-9a-f]{8}$/)
    expect(ids[2]).toBe('group')
    expect(ids[3]).toMatch(/^group-[0-9a-f]{8}$/)
    const taken = make({ group_id: ids[0], tools: alphaAndBeta })
    await expect(taken).rejects.toMatchObject({ code: 'conflict' })
    expect(listed(ids[0]!)).toEqual(['alpha'])
  })

  test('what cannot be is refused and leaves nothing', async () => {
    const wrong: Partial<NewGroup>[] = [
      { group_id: 'no/slash' },
      { group_id: '*' },
      { name: ' space' },
      { name: 'tab\t' },
      { description: 'x'.repeat(2_001) },
      { key_expires_at: clock.now() },
      { tools: [{ server_id: 's*', tool: '*' }] },
    ]
    const before = process.groups.list(admin)
    for (const each of wrong) {
      await expect(make(each)).rejects.toMatchObject({ code: 'invalid_request' })
    }
    expect(process.groups.list(admin)).toEqual(before)
    expect(await installation.sql.gateway.groups.load('acme')).toHaveLength(before.length)
  })

  test('only an administrator of the tenant sees and changes them; others find nothing', async () => {
    const { group } = await make()
    const { group_id } = group
    const { groups } = process
    const user: Principal = { ...admin, role: 'user' }
    const others: Principal[] = [user, { ...admin, role: 'auditor' }, { ...admin, agent_id: 'a' }]
    const ofNobody: Principal = { ...admin, user_id: '*' }
    const ofPlatform: Principal = { ...admin, role: 'platform_admin', tenant_id: platformTenant }
    for (const by of [...others, { ...admin, group_id }, ofNobody, ofPlatform]) {
      const code = 'forbidden'
      expect(() => groups.list(by)).toThrow(expect.objectContaining({ code }))
      expect(() => groups.view(by, group_id)).toThrow(expect.objectContaining({ code }))
      for (const change of changesBy(by, group_id))
        await expect(change()).rejects.toMatchObject({ code })
      await expect(groups.create(by, { name: 'x', tools: [] })).rejects.toMatchObject({ code })
    }
    for (const change of changesBy(stranger, group_id)) {
      await expect(change()).rejects.toMatchObject({ code: 'not_found' })
    }
    expect(groups.list(stranger)).toEqual([])
    expect(groups.view(admin, group_id)).toEqual(group)
  })

  function changesBy(by: Principal, group_id: string): (() => Promise<unknown>)[] {
    const { groups } = process
    return [
      () => groups.update(by, group_id, { enabled: false }),
      () => groups.remove(by, group_id),
      () => groups.copyKey(by, group_id),
      () => groups.rotateKey(by, group_id),
      () => groups.revokeKey(by, group_id),
    ]
  }

  test('an administrator copies the key again, which is noted, unless it is shown once [E6.1]', async () => {
    const { group, key } = await make()
    const { group_id } = group
    expect(await process.groups.copyKey(admin, group_id)).toBe(key)
    const [note] = await process.hub.audit.changes(admin, { target: group_id, limit: 1, offset: 0 })
    expect(note).toMatchObject({ kind: 'tool_group', action: 'copied', user_id: 'root' })
    await process.groups.update(admin, group_id, { shown_once: true })
    await expect(process.groups.copyKey(admin, group_id)).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(process.groups.findByKey(key).status).toBe('ok')
    const once = await make({ shown_once: true })
    expect(once.group.key).toMatchObject({ can_copy: false })
    const copied = process.groups.copyKey(admin, once.group.group_id)
    await expect(copied).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('a key is not copied by whose memory has the group of an id that is another tenant’s now', async () => {
    const { group } = await make()
    const { group_id } = group
    const { groups: rows } = installation.sql.gateway
    const row = (await rows.get(group_id))!
    await rows.delete(row.tenant_id, group_id, 1)
    await rows.create({ ...row, tenant_id: stranger.tenant_id })
    const copied = process.groups.copyKey(admin, group_id)
    await expect(copied).rejects.toMatchObject({ code: 'not_found' })
    await rows.delete(stranger.tenant_id, group_id, 1)
    await process.groups.reload()
  })

  test('no key is in the database, in lists or in the record of changes [E6.2]', async () => {
    const { group, key } = await make()
    const { group_id } = group
    await process.groups.copyKey(admin, group_id)
    const { key: next } = await process.groups.rotateKey(admin, group_id, { overlapMs: 1_000 })
    await process.groups.update(admin, group_id, { name: 'Renamed' })
    await process.groups.revokeKey(admin, group_id)
    const changes = await process.hub.audit.changes(admin, { limit: 1_000, offset: 0 })
    const rows = await installation.sql.gateway.groups.load()
    const texts = JSON.stringify([changes, rows, process.groups.list(admin)])
    for (const secret of [key, next]) expect(texts).not.toContain(secret.slice(3))
    const hashed = rows.flatMap(({ hashed_api_key, key_mac }) => [hashed_api_key!, key_mac!])
    const told = JSON.stringify([changes, process.groups.list(admin)])
    for (const hash of hashed) expect(told).not.toContain(hash)
    const actions = changes.filter(({ target }) => target === group_id).map(({ action }) => action)
    expect(actions.sort()).toEqual(['added', 'changed', 'changed', 'copied', 'revoked'])
  })

  test('a rotated key ends at once, or after the overlap [E6.1]', async () => {
    const { group, key: first } = await make()
    const { group_id } = group
    const { groups } = process
    const { key: second } = await groups.rotateKey(admin, group_id)
    expect(groups.findByKey(first)).toEqual({ status: 'wrong' })
    expect(groups.findByKey(second)).toMatchObject({ status: 'ok', key_id: `${group_id}.2` })
    expect([1, 2].map((n) => groups.holds(group_id, `${group_id}.${n}`))).toEqual([false, true])
    const rotated = await groups.rotateKey(admin, group_id, { overlapMs: 60_000 })
    expect(rotated.group.key?.previous_until).toBe(clock.now() + 60_000)
    expect(groups.findByKey(second)).toMatchObject({ status: 'ok', key_id: `${group_id}.2` })
    expect(groups.findByKey(rotated.key)).toMatchObject({ status: 'ok', key_id: `${group_id}.3` })
    expect([2, 3].map((n) => groups.holds(group_id, `${group_id}.${n}`))).toEqual([true, true])
    clock.jump(60_000)
    expect(groups.findByKey(second)).toEqual({ status: 'expired' })
    expect([2, 3].map((n) => groups.holds(group_id, `${group_id}.${n}`))).toEqual([false, true])
  })

  test('a key ends when it expires, and a new one lives as long [E6.1]', async () => {
    const { group, key } = await make({ key_expires_at: clock.now() + 1_000 })
    const { group_id } = group
    const rotated = await process.groups.rotateKey(admin, group_id, { overlapMs: 9_000 })
    expect(rotated.group.key).toMatchObject({ expires_at: clock.now() + 1_000 })
    expect(rotated.group.key?.previous_until).toBe(clock.now() + 1_000)
    clock.jump(1_000)
    for (const each of [key, rotated.key]) {
      expect(process.groups.findByKey(each)).toEqual({ status: 'expired' })
    }
    expect(process.groups.holds(group_id, `${group_id}.2`)).toBe(false)
    expect(process.groups.holds(group_id, null)).toBe(true)
  })

  test('of rotations at once one takes place, and only its key opens', async () => {
    const { group } = await make()
    const rotations = Array.from({ length: 5 }, () =>
      process.groups.rotateKey(admin, group.group_id),
    )
    const done = await Promise.allSettled(rotations)
    const made = done.flatMap((each) => (each.status === 'fulfilled' ? [each.value.key] : []))
    expect(made).toHaveLength(1)
    expect(process.groups.findByKey(made[0]!).status).toBe('ok')
  })

  test('with a key that is revoked its grants end, those of people stay [E2.4] [E6.1]', async () => {
    const { group, key } = await make()
    const { group_id } = group
    const { grants } = installation.sql.gateway
    const ofKey = { ...aGrant, grant_id: `${group_id}-key`, group_id, key_id: `${group_id}.1` }
    const ofPerson = { ...aGrant, grant_id: `${group_id}-person`, group_id, key_id: null }
    for (const grant of [ofKey, ofPerson]) await grants.create(grant)
    const revoked = await process.groups.revokeKey(admin, group_id)
    expect(revoked.key).toMatchObject({ revoked_at: clock.now(), can_copy: false })
    expect(process.groups.findByKey(key)).toEqual({ status: 'revoked' })
    expect(process.groups.holds(group_id, ofKey.key_id)).toBe(false)
    expect(process.groups.holds(group_id, null)).toBe(true)
    expect((await grants.get(ofKey.grant_id))?.revoked_at).toBe(clock.now())
    expect((await grants.get(ofPerson.grant_id))?.revoked_at).toBeNull()
    const { key: next } = await process.groups.rotateKey(admin, group_id, { overlapMs: 1_000 })
    expect(process.groups.findByKey(key)).toEqual({ status: 'wrong' })
    expect(process.groups.findByKey(next).status).toBe('ok')
    await process.groups.remove(admin, group_id)
    expect((await grants.get(ofPerson.grant_id))?.revoked_at).toBe(clock.now())
  })

  test('a group that is off or gone opens to nobody, and its tools are nobody’s', async () => {
    const { group, key } = await make()
    const { group_id } = group
    await process.groups.update(admin, group_id, { enabled: false })
    expect(process.groups.findByKey(key)).toEqual({ status: 'disabled' })
    expect(process.groups.holds(group_id, null)).toBe(false)
    await process.groups.update(admin, group_id, { enabled: true })
    expect(process.groups.findByKey(key).status).toBe('ok')
    await process.groups.remove(admin, group_id)
    expect(process.groups.findByKey(key)).toEqual({ status: 'wrong' })
    expect(process.groups.holds(group_id, null)).toBe(false)
    expect(process.hub.policy.allowList('acme', { kind: 'group', id: group_id })).toBeUndefined()
    expect(listed(group_id)).toEqual([])
    await expect(process.groups.remove(admin, group_id)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('keys of another form, unknown ones and planted rows are wrong', async () => {
    const { key } = await make()
    for (const wrong of ['', 'mk_', `${key} `, key.slice(0, -1), key.replace('mk_', 'st_')]) {
      expect(process.groups.findByKey(wrong)).toEqual({ status: 'wrong' })
    }
    expect(process.groups.findByKey(`mk_${'x'.repeat(10_000)}`)).toEqual({ status: 'wrong' })
    const planted = await make()
    const row = process.groups.get(planted.group.group_id)!
    await installation.sql.gateway.groups.update('acme', row.group_id, { key_mac: '00' })
    await process.groups.reload('acme')
    expect(process.groups.findByKey(planted.key)).toEqual({ status: 'wrong' })
  })

  test('people are offered the groups that are open to them, administrators all, by name', async () => {
    const own: Principal = { tenant_id: 'offers', user_id: 'root', role: 'admin' }
    const create = (name: string, more: Partial<NewGroup> = {}) =>
      process.groups.create(own, { name, tools: [], ...more })
    await create('c open', { open_to_users: true })
    await create('b closed')
    await create('a off', { enabled: false, open_to_users: true })
    const offered = (by: Partial<Principal>) =>
      process.groups.offeredTo({ ...own, ...by }).map(({ name }) => name)
    expect(offered({})).toEqual(['b closed', 'c open'])
    expect(offered({ role: 'user' })).toEqual(['c open'])
    expect(offered({ role: 'auditor' })).toEqual([])
    expect(offered({ agent_id: 'a' })).toEqual([])
    expect(offered({ tenant_id: 'nobody' })).toEqual([])
  })

  test('what is taken away is stored before what is given', async () => {
    const { group } = await make({ enabled: false })
    const { group_id } = group
    const steps = await stepsOf(group_id, () =>
      process.groups.update(admin, group_id, { enabled: true, tools: alphaAndBeta }),
    )
    expect(steps).toEqual(['allow_list changed', 'tool_group enabled'])
    const back = await stepsOf(group_id, () =>
      process.groups.update(admin, group_id, { enabled: false, tools: alpha, name: 'Later' }),
    )
    expect(back).toEqual(['tool_group disabled', 'allow_list changed', 'tool_group changed'])
    const removed = await stepsOf(group_id, () => process.groups.remove(admin, group_id))
    expect(removed).toEqual(['tool_group removed', 'allow_list removed'])
  })

  /** What was noted of a group meanwhile, in the order of revisions. */
  async function stepsOf(group_id: string, change: () => Promise<unknown>): Promise<string[]> {
    const read = async () => {
      const all = await process.hub.audit.changes(admin, { limit: 1_000, offset: 0 })
      return all.filter(({ target }) => target.endsWith(group_id))
    }
    const before = new Set((await read()).map(({ change_id }) => change_id))
    await change()
    const fresh = (await read()).filter(({ change_id }) => !before.has(change_id))
    fresh.sort((a, b) => a.revision! - b.revision!)
    return fresh.map(({ kind, action }) => `${kind} ${action}`)
  }

  test('a group of an id that was there before has none of the rights that were left', async () => {
    const { group } = await make({ group_id: 'again' })
    const subject = { kind: 'group', id: group.group_id } as const
    await process.groups.remove(admin, 'again')
    await process.hub.policy.setAllowList(admin, subject, alphaAndBeta)
    const seen: (number | undefined)[] = []
    const stop = process.hub.policy.onChange(() => seen.push(process.groups.get('again')?.enabled))
    await make({ group_id: 'again', tools: alpha })
    stop()
    expect(seen).toEqual([0])
    expect(listed('again')).toEqual(['alpha'])
  })

  test('rows that lack the hash of their key get it by the one-time command [E6.1]', async () => {
    const { group, key } = await make()
    const { group_id } = group
    const none = { hashed_api_key: null, key_mac: null, pepper_kid: null }
    const broken = await make()
    const { groups: rows } = installation.sql.gateway
    await rows.update('acme', group_id, none)
    await rows.update('acme', broken.group.group_id, { ...none, api_key: 'v1.broken' })
    await process.groups.reload()
    expect(process.groups.findByKey(key)).toEqual({ status: 'wrong' })
    expect(await process.groups.fillKeyHashes()).toBe(1)
    expect(process.groups.findByKey(key).status).toBe('ok')
    expect(process.errors.splice(0)).toMatchObject([{ code: 'secret_unreadable' }])
    await process.groups.remove(admin, broken.group.group_id)
    expect(await process.groups.fillKeyHashes()).toBe(0)
  })

  test('under a new master key an old key opens, and is hashed anew in the background [E6.1]', async () => {
    const { group, key } = await make()
    const { group_id } = group
    const masters = [randomBytes(32), ...installation.masters]
    const later = await installation.start({ masters })
    const stored = () => installation.sql.gateway.groups.get(group_id) as Promise<GroupRow>
    const before = (await stored()).pepper_kid
    expect(later.groups.findByKey(key).status).toBe('ok')
    await waitFor(async () => (await stored()).pepper_kid !== before)
    expect(later.groups.findByKey(key).status).toBe('ok')
    expect(await later.groups.copyKey(admin, group_id)).toBe(key)
    expect(later.errors).toEqual([])
  })

  test('under a new master key all sealed keys are hashed anew at once, and the others counted [E6.1]', async () => {
    await using own = await openInstallation({ clock })
    const first = await own.start()
    const add = (fields: object) => first.groups.create(admin, { name: 'G', tools: [], ...fields })
    const kept = await add({})
    const once = await add({ shown_once: true })
    const rotated = await add({})
    const { key } = await first.groups.rotateKey(admin, rotated.group.group_id, {
      overlapMs: 9_000,
    })
    const master = randomBytes(32)
    const later = await own.start({ masters: [master, ...own.masters] })
    expect(await later.groups.renewKeyHashes()).toBe(2)
    const last = await own.start({ masters: [master] })
    const found = [kept.key, key, once.key, rotated.key].map((one) => last.groups.findByKey(one))
    expect(found.map(({ status }) => status)).toEqual(['ok', 'ok', 'wrong', 'wrong'])
  })
})

const aGrant = {
  ...{ tenant_id: 'acme', user_id: null, user_key_id: null, client_id: 'c' },
  ...{ client_name: 'Dify', resource: 'r' },
  ...{ scope: 'mcp:call', profile: 'standard' as const, refresh_hash: 'h', previous_hash: null },
  ...{ group_made_at: 1, rotated_at: null, created_at: 1, last_used_at: 1, revoked_at: null },
  expires_at: Number.MAX_SAFE_INTEGER,
}
