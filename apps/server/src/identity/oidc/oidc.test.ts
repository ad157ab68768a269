import { createEgress } from '@dataagent/guard'
import cookie from '@fastify/cookie'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import type { Config } from '../../config/index.ts'
import { addGate, principalOf, sendError } from '../../deps/index.ts'
import { type ProviderMood, startTestProvider } from '../../testing/test-oidc-provider.ts'
import { createIdentity } from '../identity.ts'
import { createPlace } from '../test-identity.ts'
import { createOidc } from './oidc.ts'

const ada = { email: 'Ada@example.com', email_verified: true, name: 'Ada' }
const path = '/api/v1/sign-in/oidc'

/** A server whose people sign in with a provider of its own. */
async function start(change: Partial<Config> = {}) {
  await using cleanup = new AsyncDisposableStack()
  const provider = cleanup.use(await startTestProvider())
  const settings = { oidc_issuer: provider.issuer, oidc_client_id: 'us', ...change }
  const place = cleanup.use(await createPlace(settings))
  const egress = cleanup.use(createEgress({ policy: { mode: 'public' } }))
  const { config, clock } = place
  const stopped: string[] = []
  const cancelOf = async ({ user_id }: { user_id: string }) => stopped.push(user_id)
  const stores = () => ({ ...place, runs: { cancelOf } })
  const identity = createIdentity({ config, clock, stores })
  const oidc = createOidc({ config, clock, egress, stores })
  if (!oidc) throw new Error('no provider is configured')
  const app = cleanup.adopt(fastify(), (one) => one.close())
  app.setErrorHandler(sendError)
  await app.register(cookie)
  addGate(app, identity.authenticate)
  const open = { config: { access: 'public' } } as const
  app.get(path, open, async (request, reply) => reply.redirect(await oidc.begin(request, reply)))
  app.get(`${path}/callback`, open, async (request, reply) => {
    await identity.signIn(await oidc.finish(request, reply), request, reply)
    return {}
  })
  app.get('/who', { config: { access: 'member' } }, async (request) => principalOf(request))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const moved = cleanup.move()

  const get = (target: string, sent = '') =>
    fetch(new URL(target, url), { headers: { cookie: sent }, redirect: 'manual' })

  /** A browser that goes to the provider, with the cookie that binds it. */
  async function begin() {
    const answer = await get(path)
    const sent = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    return { asked: answer.headers.get('location') ?? '', sent, answer }
  }

  /** Goes there, agrees, and comes back. */
  async function signIn(mood: Partial<ProviderMood> = {}) {
    Object.assign(provider.mood, { claims: ada }, mood)
    const { asked, sent } = await begin()
    return outcomeOf(await get(provider.agree(asked).href, sent))
  }

  return {
    ...{ provider, place, stopped, get, begin, signIn },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** How it was answered, and the cookie that the browser has from then on. */
function outcomeOf({ status, headers }: Response) {
  const cookies = headers.getSetCookie().map((one) => one.split(';', 1)[0] ?? '')
  const session = cookies.find((one) => /^dataagent=./.test(one))
  return { status, session }
}

/** The answer is not one to a question of ours; or the person may not sign in. */
const unknown = { status: 401, session: undefined }
const refused = { status: 403, session: undefined }

test('a person signs in, and is made a user at the first time', async () => {
  await using server = await start()
  const { status, session } = await server.signIn()
  expect(status).toBe(200)
  const who = await (await server.get('/who', session)).json()
  expect(who).toEqual({ tenant_id: 'default', user_id: 'ada@example.com', role: 'user' })
  const user = await server.place.tables.users.get('default', 'ada@example.com')
  expect(user?.name).toBe('Ada')
  expect((await server.signIn()).status).toBe(200)
  expect(await server.place.tables.users.count('default')).toBe(2)
})

test('the question has PKCE, a state and a nonce, and its cookie outlives the way back alone', async () => {
  await using server = await start()
  const { asked, answer } = await server.begin()
  const query = new URL(asked).searchParams
  expect(query.get('code_challenge_method')).toBe('S256')
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(query.get(name)).toMatch(/^[\w-]{43}$/)
  expect(answer.headers.getSetCookie()[0]).toMatch(
    /^dataagent-oidc=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
  )
})

test.each<[string, Partial<ProviderMood>, typeof refused]>([
  ['another nonce', { claims: { ...ada, nonce: 'another' } }, unknown],
  ['another issuer', { claims: { ...ada, iss: 'https://evil.example' } }, unknown],
  ['another audience', { claims: { ...ada, aud: 'somebody-else' } }, unknown],
  ['an expired token', { claims: { ...ada, exp: 1 } }, unknown],
  ['a signature of somebody else', { signsWrongly: true }, unknown],
  ['an email that is not verified', { claims: { ...ada, email_verified: false } }, refused],
  [
    'an email of which nothing is said',
    { claims: { email: ada.email }, userinfo: { sub: 'person-1' } },
    refused,
  ],
  ['no email', { claims: {}, userinfo: { sub: 'person-1' } }, refused],
  [
    'an email that cannot be a user_id',
    { claims: { ...ada, email: '"a b"@example.com' } },
    refused,
  ],
])('%s lets nobody in', async (_name, mood, outcome) => {
  await using server = await start()
  expect(await server.signIn(mood)).toEqual(outcome)
  expect(await server.place.tables.users.count('default')).toBe(1)
})

test('an answer counts once, for the browser that asked, with its own state and issuer', async () => {
  await using server = await start()
  server.provider.mood.claims = ada
  const mine = await server.begin()
  const theirs = await server.begin()
  const come = async (back: URL, sent: string) => outcomeOf(await server.get(back.href, sent))

  const stolen = server.provider.agree(mine.asked)
  expect(await come(stolen, theirs.sent)).toEqual(unknown)
  expect(await come(stolen, mine.sent)).toEqual(unknown)

  const other = server.provider.agree(theirs.asked)
  other.searchParams.set('state', 'made-up')
  expect(await come(other, theirs.sent)).toEqual(unknown)

  const mixed = await server.begin()
  const from = server.provider.agree(mixed.asked)
  from.searchParams.set('iss', 'https://evil.example')
  expect(await come(from, mixed.sent)).toEqual(unknown)

  const good = await server.begin()
  const back = server.provider.agree(good.asked)
  expect(await come(back, '')).toEqual(unknown)
  const last = await server.begin()
  const right = server.provider.agree(last.asked)
  expect((await come(right, last.sent)).status).toBe(200)
  expect(await come(right, last.sent)).toEqual(unknown)
})

test('people of other domains are refused', async () => {
  await using server = await start({ oidc_allowed_domains: ['example.com'] })
  const signInAs = (email: string) => server.signIn({ claims: { ...ada, email } })
  expect((await signInAs('ada@EXAMPLE.com')).status).toBe(200)
  for (const email of ['ada@evil.example', 'ada@sub.example.com', 'ada@example.com.evil.example'])
    expect(await signInAs(email)).toEqual(refused)
})

test('nobody becomes who runs the server by choosing a name', async () => {
  await using server = await start({ oidc_user_claim: 'preferred_username' })
  expect(await server.signIn({ claims: { preferred_username: 'admin' } })).toEqual(refused)
  expect((await server.signIn({ claims: { preferred_username: 'grace' } })).status).toBe(200)
})

test('what the ID token does not say is asked of the provider', async () => {
  await using server = await start()
  const userinfo = { sub: 'person-1', ...ada }
  expect((await server.signIn({ claims: {}, userinfo })).status).toBe(200)
  const others = { ...userinfo, sub: 'person-2' }
  expect(await server.signIn({ claims: {}, userinfo: others })).toEqual(unknown)
})

test('a role of the provider is taken over at each sign-in with what it ends, that of the platform never', async () => {
  await using server = await start({ oidc_role_claim: 'groups' })
  const roleWith = async (groups: unknown) => {
    const { session } = await server.signIn({ claims: { ...ada, groups } })
    const who = (await (await server.get('/who', session)).json()) as { role: string }
    return who.role
  }
  expect(await roleWith(['staff', 'admin'])).toBe('admin')
  expect(server.stopped).toEqual([])
  expect(await roleWith('auditor')).toBe('auditor')
  expect(server.stopped).toEqual(['ada@example.com'])
  expect(await roleWith(['platform_admin'])).toBe('user')
})

test('a user stays that of the person who came first, whatever name another one has', async () => {
  await using server = await start()
  expect((await server.signIn()).status).toBe(200)
  expect((await server.signIn({ claims: { ...ada, sub: 'person-2' } })).status).toBe(403)
  expect((await server.signIn()).status).toBe(200)
})

test('a user who was there before is theirs whose email is verified, and no platform administrator', async () => {
  await using server = await start()
  const { users } = server.place.tables
  const row = { tenant_id: 'default', name: 'Ada', created_at: 1, disabled_at: null }
  await users.create({ ...row, user_id: 'ada@example.com', role: 'admin' })
  expect((await server.signIn()).status).toBe(200)
  await users.create({ ...row, user_id: 'root@example.com', role: 'platform_admin' })
  const root = { ...ada, email: 'root@example.com' }
  expect(await server.signIn({ claims: root })).toEqual(refused)
  await using named = await start({ oidc_user_claim: 'preferred_username' })
  await named.place.tables.users.create({ ...row, user_id: 'grace', role: 'user' })
  expect(await named.signIn({ claims: { preferred_username: 'grace' } })).toEqual(refused)
})

test('a tenant that is full takes nobody more; who is disabled stays out', async () => {
  await using server = await start()
  const { tenants, users } = server.place.tables
  await tenants.update('default', { max_users: 1 })
  expect((await server.signIn()).status).toBe(429)
  await tenants.update('default', { max_users: null })
  const { session } = await server.signIn()
  await users.update('default', 'ada@example.com', { disabled_at: Date.now() })
  expect(await server.signIn()).toEqual(refused)
  expect(session).toBeDefined()
})
