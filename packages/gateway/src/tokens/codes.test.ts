import { randomBytes } from 'node:crypto'
import { keysOf } from '@dataagent/store/kv'
import { describeKv } from '@dataagent/store/kv/describe-kv'
import { longCount } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin } from '../groups/test-groups.ts'
import { openTokens, resource, shown, type TestTokens, toPair } from './test-tokens.ts'

describeKv('codes', ({ kv, other }) => {
  const stack = new AsyncDisposableStack()
  let set: TestTokens
  beforeAll(async () => {
    set = stack.use(await openTokens({ kv, other }))
  })
  afterAll(() => stack.disposeAsync())

  test('a code gives a session and a grant, in whichever process it is redeemed [E2.2] [E2.3]', async () => {
    const code = await set.here.createCode({ ...set.content, user_id: 'ana' })
    expect(code).toMatch(/^ac_[\w-]{43}$/)
    const pair = toPair(await set.there.redeem(code, { ...shown, resource }))
    expect(pair).toMatchObject({
      ...{ expires_in: 3_600, scope: 'mcp:read mcp:call', group_name: 'Front desk' },
    })
    const session = await set.here.find(pair.access_token)
    const { group_id, key_id } = set
    expect(session).toMatchObject({ group_id, key_id, client_id: 'dify', client: 'Dify', resource })
    const grant = await set.installation.sql.gateway.grants.get(session!.grant_id!)
    expect(grant).toMatchObject({ group_id, key_id, user_id: 'ana', revoked_at: null })
    expect(grant!.expires_at - grant!.created_at).toBe(90 * 24 * 60 * 60_000)
  })

  test('neither code nor tokens are in the KV or the database as they are [E2.2] [E3.1]', async () => {
    const code = await set.here.createCode(set.content)
    const secrets = [code]
    const texts: string[] = []
    const collect = async () => {
      for await (const key of keysOf(kv, 'mcp:')) texts.push(key, (await kv.get(key)) ?? '')
    }
    await collect()
    const pair = toPair(await set.here.redeem(code, shown))
    const next = toPair(await set.here.refresh(pair.refresh_token, { client_id: 'dify' }))
    secrets.push(pair.access_token, next.access_token)
    for (const { refresh_token } of [pair, next]) secrets.push(refresh_token.split('.')[1]!)
    await collect()
    const rows = set.installation.sql.gateway.grants
    texts.push(JSON.stringify(await rows.list({ tenant_id: 'acme', limit: 100 }, 0)))
    for (const secret of secrets) expect(texts.join('\n')).not.toContain(secret.replace(/^.._/, ''))
  })

  test('what does not belong to the client is refused, and spends and revokes nothing', async () => {
    const code = await set.here.createCode(set.content)
    const wrong = [
      { client_id: 'another' },
      { redirect_uri: `${shown.redirect_uri}/` },
      { code_verifier: randomBytes(32).toString('base64url') },
      { code_verifier: '' },
      { code_verifier: set.content.code_challenge },
    ]
    const tryAll = async () => {
      for (const each of wrong) {
        const refused = await set.there.redeem(code, { ...shown, ...each })
        expect(refused).toMatchObject({ status: 'refused', error: 'invalid_grant' })
      }
      const elsewhere = await set.here.redeem(code, { ...shown, resource: 'https://other.example' })
      expect(elsewhere).toMatchObject({ status: 'refused', error: 'invalid_target' })
    }
    await tryAll()
    const { access_token } = toPair(await set.here.redeem(code, shown))
    await tryAll()
    expect(await set.here.find(access_token)).toBeDefined()
  })

  test('a code that is shown again by its client ends what it gave', async () => {
    const code = await set.here.createCode(set.content)
    const { access_token, refresh_token } = toPair(await set.here.redeem(code, shown))
    expect((await set.there.redeem(code, shown)).status).toBe('refused')
    expect(await set.there.find(access_token)).toBeUndefined()
    const refreshed = await set.there.refresh(refresh_token, { client_id: 'dify' })
    expect(refreshed.status).toBe('refused')
  })

  test('a code is good for ten minutes, and its memory for as long [E2.2]', async () => {
    const code = await set.here.createCode(set.content)
    const hash = set.here.hashOf(code)
    const { ms } = (await kv.expiry(`mcp:code:${hash}`)) as { ms: number }
    expect(ms).toBeGreaterThan(590_000)
    expect(ms).toBeLessThanOrEqual(600_000)
    await set.here.redeem(code, shown)
    expect(await kv.expiry(`mcp:code:${hash}`)).toEqual({ kind: 'absent' })
    const used = (await kv.expiry(`mcp:code:used:${hash}`)) as { ms: number }
    expect(used.ms).toBeGreaterThan(600_000)
  })

  test('made-up codes, and tokens in their place, are refused', async () => {
    const { access_token, refresh_token } = await set.authorise()
    for (const code of ['', 'ac_', 'ac_unknown', access_token, refresh_token]) {
      expect(await set.here.redeem(code, shown)).toMatchObject({ error: 'invalid_grant' })
    }
  })

  test('a code of a key that has ended, or of a group that is gone, is refused [E2.4]', async () => {
    const { groups } = set.process
    const { group } = await groups.create(admin, { name: 'Gone', tools: [] })
    const { group_id } = group
    const own = { ...set.content, group_id, key_id: `${group_id}.1` }
    const code = await set.here.createCode(own)
    await groups.rotateKey(admin, group_id)
    expect(await set.here.redeem(code, shown)).toMatchObject({ error: 'invalid_grant' })
    const byPerson = await set.here.createCode({ ...own, key_id: null, user_id: 'ana' })
    await groups.remove(admin, group_id)
    await groups.create(admin, { name: 'Gone', group_id, tools: [] })
    expect(await set.here.redeem(byPerson, shown)).toMatchObject({ error: 'invalid_grant' })
    const unknown = set.here.createCode({ ...own, group_id: 'unknown' })
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
  })

  const rounds = longCount(10, 1_000)

  test(`of ${rounds * 100} redemptions, 100 of one code at once, exactly one of each code wins [T21]`, {
    timeout: longCount(60_000, 1_800_000),
  }, async () => {
    for (let round = 0; round < rounds; round++) {
      const code = await set.here.createCode(set.content)
      const redeemed = await Promise.all(
        Array.from({ length: 100 }, (_, n) => (n % 2 ? set.here : set.there).redeem(code, shown)),
      )
      expect(redeemed.filter(({ status }) => status === 'ok')).toHaveLength(1)
    }
  })
})
