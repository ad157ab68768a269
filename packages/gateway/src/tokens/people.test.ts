import { describeKv } from '@dataagent/store/kv/describe-kv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin } from '../groups/test-groups.ts'
import { openTokens, shown, type TestTokens, toPair } from './test-tokens.ts'

const dify = { client_id: 'dify' }
const dayMs = 24 * 60 * 60_000
const refused = { status: 'refused', error: 'invalid_grant' }

describeKv('what people allowed', ({ kv, other }) => {
  const stack = new AsyncDisposableStack()
  let set: TestTokens
  let count = 0
  beforeAll(async () => {
    set = stack.use(await openTokens({ kv, other }))
  })
  afterAll(() => stack.disposeAsync())

  /** Somebody new, known by a key of theirs. */
  function person(role: 'user' | 'admin' = 'admin') {
    const [user_id, user_key_id] = [`person-${++count}`, `key-${count}`]
    const name = `${user_id}/${user_key_id}`
    set.people.set(name, { tenant_id: 'acme', user_id, role, api_key: user_key_id })
    return { name, given: { key_id: null, user_id, user_key_id } }
  }

  const grantOf = async (access_token: string) => {
    const session = await set.here.find(access_token)
    return (await set.installation.sql.gateway.grants.get(session!.grant_id!))!
  }

  const grantsOf = (user_id: string) => {
    const { grants } = set.installation.sql.gateway
    return grants.list({ tenant_id: 'acme', user_id, limit: 10 }, 0)
  }

  test('the grant says by which key they were known [E2.2]', async () => {
    const { given } = person()
    const byKey = await grantOf((await set.authorise(given)).access_token)
    expect(byKey).toMatchObject(given)
    const bySignIn = await set.authorise({ key_id: null, user_id: 'ana' })
    expect(await grantOf(bySignIn.access_token)).toMatchObject({ user_key_id: null })
  })

  test('whoever is gone, or whose key ended, renews nothing: the grant ends with its sessions [E2.4]', async () => {
    const { name, given } = person()
    const first = await set.authorise(given)
    const second = toPair(await set.there.refresh(first.refresh_token, dify))
    const { grant_id } = await grantOf(second.access_token)
    const before = set.people.get(name)!
    set.people.delete(name)
    expect(await set.here.introspect(second.refresh_token)).toEqual({ active: false })
    expect(await set.there.refresh(second.refresh_token, dify)).toMatchObject(refused)
    const grant = await set.installation.sql.gateway.grants.get(grant_id)
    expect(grant?.revoked_at).not.toBeNull()
    set.clock.advance(1_000)
    expect(await set.here.find(second.access_token)).toBeUndefined()
    set.people.set(name, before)
    expect(await set.here.refresh(second.refresh_token, dify)).toMatchObject(refused)
  })

  test('the pair of a lost answer is not given again to the client of one who is gone', async () => {
    const { name, given } = person()
    const { refresh_token } = await set.authorise(given)
    toPair(await set.here.refresh(refresh_token, dify))
    set.people.delete(name)
    expect(await set.there.refresh(refresh_token, dify)).toMatchObject(refused)
  })

  test('a code of one who is gone meanwhile gives nothing, and leaves no grant that holds', async () => {
    const { name, given } = person()
    const code = await set.here.createCode({ ...set.content, ...given })
    set.people.delete(name)
    expect(await set.here.redeem(code, shown)).toMatchObject(refused)
    expect(await grantsOf(given.user_id)).toEqual([])
  })

  test('a session ends with the key by which the person was known [E2.4]', async () => {
    const { name, given } = person()
    const keyEnd = set.clock.now() + 120_000
    set.keyEnds.set(name, keyEnd)
    const first = await set.authorise(given)
    expect(first.expires_in).toBe(120)
    const second = toPair(await set.here.refresh(first.refresh_token, dify))
    expect(await set.here.find(second.access_token)).toMatchObject({ expires_at: keyEnd })
    set.clock.jump(120_000)
    for (const { access_token } of [first, second]) {
      expect(await set.here.find(access_token)).toBeUndefined()
    }
  })

  test('a group that is closed to users holds, and is renewed, for administrators alone', async () => {
    const { groups } = set.process
    const tools = [{ server_id: 'dataagent', tool: 'alpha' }]
    const { group } = await groups.create(admin, { name: 'Open', tools, open_to_users: true })
    const { group_id } = group
    const [user, boss] = [person('user'), person('admin')]
    const [ofUser, ofBoss, ofKey] = [
      await set.authorise({ ...user.given, group_id }),
      await set.authorise({ ...boss.given, group_id }),
      await set.authorise({ group_id, key_id: `${group_id}.1` }),
    ]
    const next = toPair(await set.here.refresh(ofUser.refresh_token, dify))
    await groups.update(admin, group_id, { open_to_users: false })
    expect(await set.here.find(next.access_token)).toBeUndefined()
    expect(await set.here.introspect(next.access_token)).toEqual({ active: false })
    for (const { access_token } of [ofBoss, ofKey]) {
      expect(await set.here.find(access_token)).toMatchObject({ group_id })
    }
    expect(await set.here.refresh(next.refresh_token, dify)).toMatchObject(refused)
    expect(await grantsOf(user.given.user_id)).toEqual([])
    for (const { refresh_token } of [ofBoss, ofKey]) {
      toPair(await set.here.refresh(refresh_token, dify))
    }
  })

  test('a key with an allow-list of its own opens no group, also by what it allowed before [A2.1]', async () => {
    const { policy } = set.process.hub
    for (const id of ['the key', '*']) {
      const { given, name } = person()
      const subject = { kind: 'api_key' as const, id: id === '*' ? id : given.user_key_id }
      const first = await set.authorise(given)
      const bySignIn = await set.authorise({ key_id: null, user_id: 'ana' })
      await policy.setAllowList(admin, subject, [{ server_id: 'dataagent', tool: 'beta' }])
      expect(set.process.groups.offeredTo(set.people.get(name)!)).toEqual([])
      expect(await set.here.find(first.access_token)).toBeUndefined()
      expect(await set.here.find(bySignIn.access_token)).toBeDefined()
      const code = await set.here.createCode({ ...set.content, ...given })
      expect(await set.here.redeem(code, shown)).toMatchObject(refused)
      expect(await set.here.refresh(first.refresh_token, dify)).toMatchObject(refused)
      await policy.clearAllowList(admin, subject)
    }
  })

  test('however much it is used a grant ends after a year, or as long as is set', async () => {
    let { refresh_token, access_token } = await set.authorise(person().given)
    const { created_at } = await grantOf(access_token)
    for (let at = 0; at < 4; at += 1) {
      set.clock.jump(80 * dayMs)
      const next = toPair(await set.here.refresh(refresh_token, dify))
      ;({ refresh_token, access_token } = next)
    }
    expect((await grantOf(access_token)).expires_at).toBe(created_at + 365 * dayMs)
    set.clock.jump(45 * dayMs)
    expect(await set.here.refresh(refresh_token, dify)).toMatchObject(refused)
    const short = set.openHere({ settings: { grant_max_days: 2 } })
    const code = await short.createCode(set.content)
    const grant = await grantOf(toPair(await short.redeem(code, shown)).access_token)
    expect(grant.expires_at - grant.created_at).toBe(2 * dayMs)
  })
})
