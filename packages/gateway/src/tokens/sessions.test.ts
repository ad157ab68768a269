import { AppError } from '@dataagent/schema'
import { keysOf } from '@dataagent/store/kv'
import { describeKv } from '@dataagent/store/kv/describe-kv'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { admin } from '../groups/test-groups.ts'
import type { NewSession } from './contract.ts'
import { methodsOf, openTokens, resource, type TestTokens } from './test-tokens.ts'

function aSession({ group_id, key_id }: TestTokens): NewSession {
  return {
    ...{ group_id, group_name: 'Front desk', client: 'curl', tenant_id: 'acme', user_id: null },
    ...{ client_id: null, resource: null, scopes: ['mcp:call'], key_id, grant_id: null },
    user_key_id: null,
  }
}

describeKv('sessions', ({ kv, other, elapse }) => {
  const open = () => openTokens({ kv, other })

  test('a session is in the KV under the HMAC of its token, and expires there [E3.1] [T27]', async () => {
    await using set = await open()
    const { access_token, session } = await set.here.open(aSession(set))
    expect(access_token).toMatch(/^st_[\w-]{43}$/)
    const name = `mcp:session:${set.here.hashOf(access_token)}`
    const { group_id } = set
    const stored = JSON.parse((await kv.get(name))!)
    expect(stored).toEqual(session)
    expect(stored).toMatchObject({ group_id, group_name: 'Front desk', client: 'curl' })
    expect(stored.allowed_tools).toEqual(['alpha'])
    expect(await kv.expiry(name)).toMatchObject({ kind: 'in' })
    const { ms } = (await kv.expiry(name)) as { ms: number }
    expect(ms).toBeGreaterThan(3_500_000)
    expect(ms).toBeLessThanOrEqual(3_600_000)
    for (const tokens of [set.here, set.there]) {
      expect(await tokens.find(access_token)).toEqual(session)
    }
    for await (const key of keysOf(kv, 'mcp:')) {
      expect(`${key} ${await kv.get(key)}`).not.toContain(access_token.slice(3))
    }
  })

  test('its life is a setting [E3.1] [E7.1]', async () => {
    await using set = await open()
    const tokens = set.openHere({ settings: { session_ttl_seconds: 1 } })
    const { access_token, session } = await tokens.open(aSession(set))
    expect(session.expires_at - session.created_at).toBe(1_000)
    await elapse(1_100)
    expect(await kv.get(`mcp:session:${tokens.hashOf(access_token)}`)).toBeUndefined()
    expect(await set.there.find(access_token)).toBeUndefined()
    const other = await tokens.open(aSession(set))
    expect(await tokens.find(other.access_token)).toBeDefined()
    set.clock.jump(1_000)
    expect(await tokens.find(other.access_token)).toBeUndefined()
  })

  test('with the clock set back by a day it lives no longer than its life [F22]', async () => {
    await using set = await open()
    const tokens = set.openHere({ settings: { session_ttl_seconds: 1 } })
    const { access_token } = await tokens.open(aSession(set))
    set.clock.jump(-86_400_000)
    expect(await tokens.find(access_token)).toBeDefined()
    await elapse(1_100)
    expect(await set.there.find(access_token)).toBeUndefined()
  })

  test('what is no access token is not looked for', async () => {
    await using set = await open()
    const { refresh_token, access_token } = await set.authorise()
    const wrong = ['', 'st_', refresh_token, `${access_token} `, `st_${'x'.repeat(500)}`]
    for (const token of wrong) expect(await set.here.find(token)).toBeUndefined()
  })

  test('one that is revoked ends here at once, and there by a hint [E3.1]', async () => {
    await using set = await open()
    const { here, there } = set
    const { access_token } = await set.authorise()
    expect(await there.find(access_token)).toBeDefined()
    expect(await here.find(access_token)).toBeDefined()
    await here.revoke(access_token, { client_id: 'another' })
    expect(await here.find(access_token)).toBeDefined()
    await here.revoke(access_token, { client_id: 'dify' })
    expect(await here.find(access_token)).toBeUndefined()
    await waitFor(async () => (await there.find(access_token)) === undefined)
    await here.revoke('st_unknown', { client_id: 'dify' })
  })

  test('without any hint an answer of the KV is believed for a second, not longer [E3.1]', async () => {
    await using set = await open()
    const deaf = set.openHere({
      kv: { ...methodsOf(other), subscribe: async () => async () => {} },
    })
    const { access_token } = await set.authorise()
    expect(await deaf.find(access_token)).toBeDefined()
    await set.here.revoke(access_token, { client_id: 'dify' })
    expect(await deaf.find(access_token)).toBeDefined()
    set.clock.advance(1_000)
    expect(await deaf.find(access_token)).toBeUndefined()
  })

  test('a session is asked for once a second, however many calls there are', async () => {
    await using set = await open()
    let asked = 0
    const counting = {
      ...methodsOf(kv),
      get: async (key: string) => {
        if (key.startsWith('mcp:session:')) asked += 1
        return kv.get(key)
      },
    }
    const tokens = set.openHere({ kv: counting })
    const { access_token } = await set.authorise()
    const find = () => tokens.find(access_token)
    await Promise.all(Array.from({ length: 50 }, find))
    for (let n = 0; n < 50; n++) expect(await find()).toBeDefined()
    expect(asked).toBe(1)
    set.clock.advance(1_000)
    await Promise.all(Array.from({ length: 50 }, find))
    expect(asked).toBe(2)
  })

  test('grants that are revoked end all their sessions in both processes [E3.1]', async () => {
    await using set = await open()
    const { here, there } = set
    const first = await set.authorise()
    const second = await here.refresh(first.refresh_token, { client_id: 'dify' })
    const tokens = [first.access_token, second.status === 'ok' ? second.tokens.access_token : '']
    for (const token of tokens) expect(await there.find(token)).toBeDefined()
    const { grant_id } = (await here.find(first.access_token))!
    await here.revokeGrants([grant_id!])
    for (const token of tokens) {
      expect(await here.find(token)).toBeUndefined()
      await waitFor(async () => (await there.find(token)) === undefined)
    }
    const { grants } = set.installation.sql.gateway
    expect((await grants.get(grant_id!))?.revoked_at).not.toBeNull()
    await here.revokeGrants([grant_id!])
  })

  test('a session ends with its key, its group, and stays ended in a new group of the id [E2.4]', async () => {
    await using set = await open()
    const { here, group_id, process } = set
    const byKey = await set.authorise()
    const byPerson = await set.authorise({ key_id: null, user_id: 'ana' })
    const exchanged = await here.open(aSession(set))
    const alive = async () => {
      const found = [byKey, byPerson, exchanged].map(({ access_token }) => here.find(access_token))
      return (await Promise.all(found)).map((session) => session !== undefined)
    }
    expect(await alive()).toEqual([true, true, true])
    await process.groups.update(admin, group_id, { enabled: false })
    expect(await alive()).toEqual([false, false, false])
    await process.groups.update(admin, group_id, { enabled: true })
    expect(await alive()).toEqual([true, true, true])
    await process.groups.revokeKey(admin, group_id)
    expect(await alive()).toEqual([false, true, false])
    await process.groups.remove(admin, group_id)
    expect(await alive()).toEqual([false, false, false])
    await process.groups.create(admin, { group_id, name: 'Front desk', tools: [] })
    expect(await alive()).toEqual([false, false, false])
    const again = await here.refresh(byPerson.refresh_token, { client_id: 'dify' })
    expect(again).toMatchObject({ status: 'refused', error: 'invalid_grant' })
  })

  test('administrators are told what a token stands for', async () => {
    await using set = await open()
    const { here, group_id } = set
    const { access_token, refresh_token } = await set.authorise()
    expect(await here.introspect(access_token)).toMatchObject({
      ...{ active: true, session: { group_id, client: 'Dify', client_id: 'dify', resource } },
    })
    expect(await here.introspect(refresh_token)).toMatchObject({
      ...{ active: true, grant: { group_id, client_id: 'dify', scope: 'mcp:read mcp:call' } },
    })
    await here.revoke(refresh_token, { client_id: 'dify' })
    for (const token of [access_token, refresh_token, 'x', 'st_x', 'rt_x']) {
      expect(await here.introspect(token)).toEqual({ active: false })
    }
  })

  test('while the KV is away nobody is let in, and nobody is told to authorise again [F16]', async () => {
    await using set = await open()
    const away = async () => Promise.reject(new AppError('store_unavailable', 'away'))
    const tokens = set.openHere({ kv: { ...methodsOf(kv), get: away, subscribe: away } })
    const { access_token } = await set.authorise()
    await expect(tokens.find(access_token)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(set.errors.length).toBeGreaterThan(0)
  })
})
