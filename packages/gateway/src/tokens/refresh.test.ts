import { randomBytes } from 'node:crypto'
import { AppError } from '@dataagent/schema'
import { describeKv } from '@dataagent/store/kv/describe-kv'
import { longCount } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, createTestCraft } from '../groups/test-groups.ts'
import { createRefreshTokens } from './refresh-token.ts'
import { methodsOf, openTokens, resource, shown, type TestTokens, toPair } from './test-tokens.ts'

const dify = { client_id: 'dify' }
const dayMs = 24 * 60 * 60_000

describeKv('refreshing', ({ kv, other }) => {
  const stack = new AsyncDisposableStack()
  let set: TestTokens
  beforeAll(async () => {
    set = stack.use(await openTokens({ kv, other }))
  })
  afterAll(() => stack.disposeAsync())

  const grantOf = async (token: string) => {
    const { grant_id } = createRefreshTokens({ key: set.installation.key }).parse(token)!
    return (await set.installation.sql.gateway.grants.get(grant_id))!
  }

  test('a refresh token gives a new pair, and holds 90 days from its last use [E2.3] [E2.4]', async () => {
    const first = await set.authorise({ user_id: 'ana' })
    set.clock.jump(dayMs)
    const second = toPair(await set.there.refresh(first.refresh_token, { ...dify, resource }))
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(second).toMatchObject({
      expires_in: 3_600,
      scope: first.scope,
      group_name: 'Front desk',
    })
    const session = await set.here.find(second.access_token)
    expect(session).toMatchObject({ user_id: 'ana', client: 'Dify', resource })
    const grant = await grantOf(second.refresh_token)
    expect(grant.expires_at).toBe(set.clock.now() + 90 * dayMs)
    set.clock.jump(90 * dayMs)
    const late = await set.here.refresh(second.refresh_token, dify)
    expect(late).toMatchObject({ status: 'refused', error: 'invalid_grant' })
  })

  test('how long it holds is a setting', async () => {
    const tokens = set.openHere({ settings: { grant_days: 1 } })
    const code = await tokens.createCode(set.content)
    const { refresh_token } = toPair(await tokens.redeem(code, shown))
    const grant = await grantOf(refresh_token)
    expect(grant.expires_at - grant.created_at).toBe(dayMs)
  })

  for (const count of [6, longCount(100, 1_000)]) {
    test(`${count} refreshes at once in two processes give one and the same pair [E2.3]`, async () => {
      const { refresh_token } = await set.authorise()
      const refreshed = await Promise.all(
        Array.from({ length: count }, (_, n) =>
          (n % 2 ? set.here : set.there).refresh(refresh_token, dify),
        ),
      )
      const pairs = refreshed.map(toPair)
      const tokens = pairs.map((pair) => `${pair.access_token} ${pair.refresh_token}`)
      expect(new Set(tokens).size).toBe(1)
      expect(await set.here.find(pairs[0]!.access_token)).toBeDefined()
      expect((await set.there.refresh(pairs[0]!.refresh_token, dify)).status).toBe('ok')
    })
  }

  test('within 30 s the token before gives the same pair, after that it ends the grant', async () => {
    const { refresh_token } = await set.authorise()
    const pair = toPair(await set.here.refresh(refresh_token, dify))
    set.clock.advance(30_000)
    const again = toPair(await set.there.refresh(refresh_token, dify))
    expect(again).toEqual({ ...pair, expires_in: 3_570 })
    expect(await set.here.find(pair.access_token)).toBeDefined()
    set.clock.advance(1)
    expect((await set.there.refresh(refresh_token, dify)).status).toBe('refused')
    for (const tokens of [set.here, set.there]) {
      expect((await tokens.refresh(pair.refresh_token, dify)).status).toBe('refused')
    }
    set.clock.advance(1_000)
    expect(await set.here.find(pair.access_token)).toBeUndefined()
    expect((await grantOf(pair.refresh_token)).revoked_at).not.toBeNull()
  })

  test('a token from long before ends the grant, one that was made up changes nothing', async () => {
    const first = await set.authorise()
    const second = toPair(await set.here.refresh(first.refresh_token, dify))
    const third = toPair(await set.here.refresh(second.refresh_token, dify))
    const { grant_id } = (await set.here.find(third.access_token))!
    const secret = randomBytes(32).toString('base64url')
    const forged = createRefreshTokens({ key: randomBytes(32) }).first(grant_id!)
    for (const token of ['', 'rt_', `rt_${grant_id}.${secret}.${'A'.repeat(16)}`, forged]) {
      expect((await set.here.refresh(token, dify)).status).toBe('refused')
    }
    const stolen = await set.here.refresh(first.refresh_token, { client_id: 'thief' })
    expect(stolen.status).toBe('refused')
    expect(await set.here.find(third.access_token)).toBeDefined()
    expect((await set.here.refresh(first.refresh_token, dify)).status).toBe('refused')
    expect(await set.here.find(third.access_token)).toBeUndefined()
  })

  test('a narrower scope is given, a wider one and another resource are not [T33]', async () => {
    const { refresh_token } = await set.authorise()
    const ask = (more: object) => set.here.refresh(refresh_token, { ...dify, ...more })
    expect(await ask({ scope: 'mcp:call admin' })).toMatchObject({ error: 'invalid_scope' })
    expect(await ask({ resource: 'https://o.example' })).toMatchObject({ error: 'invalid_target' })
    const narrow = toPair(await ask({ scope: 'mcp:read' }))
    expect(narrow.scope).toBe('mcp:read')
    expect((await set.here.find(narrow.access_token))?.scopes).toEqual(['mcp:read'])
    const wide = toPair(await ask({}))
    expect(wide.refresh_token).toBe(narrow.refresh_token)
    expect((await set.here.find(wide.access_token))?.scopes).toEqual(['mcp:read', 'mcp:call'])
  })

  test('who is cut off between KV and database has a token that still works', async () => {
    const { refresh_token } = await set.authorise()
    const { grants } = set.installation.sql.gateway
    const away = async () => Promise.reject(new AppError('store_unavailable', 'away'))
    const broken = [
      { kv: { ...methodsOf(kv), setIfAbsent: away } },
      { grants: { ...grants, rotate: away } },
    ]
    for (const part of broken) {
      const refreshed = set.openHere(part).refresh(refresh_token, dify)
      await expect(refreshed).rejects.toMatchObject({ code: 'store_unavailable' })
    }
    set.clock.advance(600_000)
    const pair = toPair(await set.there.refresh(refresh_token, dify))
    expect(await set.here.find(pair.access_token)).toBeDefined()
    // The session was there before: what is told is how long that one lives.
    expect(pair.expires_in).toBe(3_000)
  })

  test('who dies after the database gets the pair once more, with its session', async () => {
    const { refresh_token } = await set.authorise()
    const pair = toPair(await set.here.refresh(refresh_token, dify))
    await kv.delete(`mcp:session:${set.here.hashOf(pair.access_token)}`)
    expect(await set.there.find(pair.access_token)).toBeUndefined()
    const again = toPair(await set.there.refresh(refresh_token, dify))
    expect(again.access_token).toBe(pair.access_token)
    expect(await set.there.find(pair.access_token)).toBeDefined()
  })

  test('a session that was revoked does not come back by the grace', async () => {
    const { refresh_token } = await set.authorise()
    const pair = toPair(await set.here.refresh(refresh_token, dify))
    await set.here.revoke(pair.access_token, dify)
    toPair(await set.there.refresh(refresh_token, dify))
    expect(await set.there.find(pair.access_token)).toBeUndefined()
    const next = toPair(await set.there.refresh(pair.refresh_token, dify))
    expect(await set.there.find(next.access_token)).toBeDefined()
  })

  test('a revocation that was cut off is finished by the next refresh', async () => {
    const { refresh_token, access_token } = await set.authorise()
    const { grants } = set.installation.sql.gateway
    const away = async () => Promise.reject(new AppError('store_unavailable', 'away'))
    const cut = set.openHere({ grants: { ...grants, revoke: away } })
    await expect(cut.revoke(refresh_token, dify)).rejects.toMatchObject({
      code: 'store_unavailable',
    })
    expect(await set.here.find(access_token)).toBeUndefined()
    expect((await grantOf(refresh_token)).revoked_at).toBeNull()
    expect((await set.here.refresh(refresh_token, dify)).status).toBe('refused')
    expect((await grantOf(refresh_token)).revoked_at).not.toBeNull()
  })

  test('with its key or its group a grant ends, and leads back to authorisation [E2.4]', async () => {
    const { groups } = set.process
    const { group } = await groups.create(admin, { name: 'Ends', tools: [] })
    const { group_id } = group
    const key_id = `${group_id}.1`
    const byKey = await set.authorise({ group_id, key_id })
    const byPerson = await set.authorise({ group_id, key_id: null, user_id: 'ana' })
    await groups.revokeKey(admin, group_id)
    const refused = await set.here.refresh(byKey.refresh_token, dify)
    expect(refused).toMatchObject({ status: 'refused', error: 'invalid_grant' })
    const next = toPair(await set.here.refresh(byPerson.refresh_token, dify))
    await groups.remove(admin, group_id)
    expect((await set.here.refresh(next.refresh_token, dify)).status).toBe('refused')
  })

  test('a refresh token that its client revokes ends grant and sessions, another client’s does not', async () => {
    const { refresh_token, access_token } = await set.authorise()
    await set.here.revoke(refresh_token, { client_id: 'another' })
    expect(await set.here.find(access_token)).toBeDefined()
    await set.here.revoke(refresh_token, dify)
    expect(await set.here.find(access_token)).toBeUndefined()
    expect((await set.there.refresh(refresh_token, dify)).status).toBe('refused')
    for (const token of ['', 'x', 'rt_x', refresh_token]) await set.here.revoke(token, dify)
  })

  test('under a new master key sessions and grants go on', async () => {
    const { refresh_token, access_token } = await set.authorise()
    const craft = createTestCraft([randomBytes(32), ...set.installation.masters])
    const later = set.openHere({ craft })
    expect(await later.find(access_token)).toBeDefined()
    const pair = toPair(await later.refresh(refresh_token, dify))
    expect(await later.find(pair.access_token)).toBeDefined()
    expect(toPair(await later.refresh(refresh_token, dify)).refresh_token).toBe(pair.refresh_token)
    await later.revoke(access_token, dify)
    set.clock.advance(1_000)
    for (const tokens of [later, set.here]) {
      expect(await tokens.find(access_token)).toBeUndefined()
    }
  })
})

test('a key that is too short stops the start', () => {
  const create = () => createRefreshTokens({ key: randomBytes(31) })
  expect(create).toThrow(expect.objectContaining({ code: 'config_invalid' }))
})
