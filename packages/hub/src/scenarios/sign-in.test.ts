import { expectNoCanary, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { HubOptions } from '../hub-options.ts'
import type { Principal } from '../principal.ts'
import { admin, everything, startTestHub, type TestHub, tenant_id, toContext } from './test-hub.ts'
import { startOAuthServer } from './test-oauth-server.ts'
import { openTestStore } from './test-store.ts'

const oauth = { redirectUrl: 'http://127.0.0.1:7777/callback' }
const settings = { defaultAllow: everything }
const ada = toContext().principal
const bo: Principal = { ...ada, user_id: 'bo' }

const start = (options: Partial<HubOptions> = {}) => startTestHub({ oauth, settings, ...options })

/** The address at which someone must sign in before the server can be used. */
function urlFor({ hub }: TestHub, server_id: string, user_id: string | null): Promise<string> {
  const find = () => {
    const healths = hub.upstreams.health(tenant_id, server_id)
    return healths.find((health) => health.user_id === user_id)?.authorization_url
  }
  return waitFor(find, { what: 'the address to sign in at' })
}

const whoami = ({ hub }: TestHub, principal = ada) =>
  hub.callTool(toContext(principal), { tool: { server_id: 'guarded', name: 'whoami' }, args: {} })

test('a shared server that wants OAuth says where to sign in, and works once that is done', async () => {
  await using server = await startOAuthServer()
  await using place = await start()
  const { hub } = place
  await place.register({ name: 'guarded', url: server.url })
  const url = await urlFor(place, 'guarded', null)
  expect(hub.upstreams.health(tenant_id, 'guarded')).toMatchObject([{ status: 'error' }])
  await expect(hub.signIns.begin(ada, 'guarded')).rejects.toMatchObject({ code: 'forbidden' })
  const answer = await server.authorization.visit(url)
  await expect(hub.signIns.finish(ada, answer)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await hub.signIns.finish(admin, answer)).toEqual({ server_id: 'guarded' })
  await place.offered('guarded')
  expect(await hub.signIns.status(admin, 'guarded')).toMatchObject({ status: 'signed_in' })
  const outcome = await whoami(place)
  expect(outcome).toMatchObject({ status: 'ok', result: { text: 'you came with ***' } })
  await hub.signIns.signOut(admin, 'guarded')
  await urlFor(place, 'guarded', null)
})

test('each user signs in for themselves where credentials are theirs', async () => {
  await using server = await startOAuthServer()
  await using place = await start()
  const { hub } = place
  await place.register({ name: 'guarded', url: server.url, credentials: 'user' })
  const end = hub.upstreams.hold({ tenant_id, user_id: 'ada' })
  const answer = await server.authorization.visit(await urlFor(place, 'guarded', 'ada'))
  const unknown = { code: 'not_found' }
  await expect(hub.signIns.finish(bo, answer)).rejects.toMatchObject(unknown)
  await expect(hub.signIns.finish(ada, { ...answer, state: 'x' })).rejects.toMatchObject(unknown)
  await hub.signIns.finish(ada, answer)
  await expect(hub.signIns.finish(ada, answer)).rejects.toMatchObject(unknown)
  await place.offered('guarded')
  expect(await whoami(place)).toMatchObject({ status: 'ok' })
  expect(await whoami(place, bo)).not.toMatchObject({ status: 'ok' })
  expect(await hub.signIns.status(bo, 'guarded')).not.toMatchObject({ status: 'signed_in' })
  const agent = { ...ada, agent_id: 'support' }
  await expect(hub.signIns.begin(agent, 'guarded')).rejects.toMatchObject({ code: 'forbidden' })
  end()
})

test('a sign-in outlives the process, sealed, and goes with its server', async () => {
  await using server = await startOAuthServer()
  await using store = await openTestStore()
  {
    await using place = await start(store.options)
    await place.register({ name: 'guarded', url: server.url })
    const { authorizationUrl } = await place.hub.signIns.begin(admin, 'guarded')
    await place.hub.signIns.finish(admin, await server.authorization.visit(authorizationUrl))
    await place.offered('guarded')
  }
  await using place = await start(store.options)
  await place.offered('guarded')
  expect(server.authorization.grants('authorization_code')).toBe(1)
  const tokens = [...server.tokens]
  expect(tokens).toHaveLength(1)
  await expectNoCanary(tokens, [{ name: 'database', directory: store.dir }])
  await place.hub.servers.remove(admin, 'guarded')
  await place.register({ name: 'guarded', url: server.url })
  await urlFor(place, 'guarded', null)
})

test('a credential that no person gives goes before', async () => {
  await using server = await startOAuthServer()
  const asked: (string | null)[] = []
  const authorizerFor: HubOptions['authorizerFor'] = (_, user_id) => {
    asked.push(user_id)
    return { headers: async () => ({}), challenged: () => Promise.reject(new Error('no token')) }
  }
  await using place = await start({ authorizerFor })
  await place.register({ name: 'guarded', url: server.url })
  await waitFor(() => place.hub.upstreams.health(tenant_id, 'guarded')[0]?.status === 'error')
  expect(asked).toEqual([null])
  const [health] = place.hub.upstreams.health(tenant_id, 'guarded')
  expect(health?.authorization_url).toBeUndefined()
})

test('nobody signs in at a server that has a credential, nor where that is switched off', async () => {
  await using server = await startOAuthServer()
  await using place = await start()
  const headers = { authorization: 'Bearer of-its-own-0123' }
  await place.register({ name: 'guarded', url: server.url, headers })
  const refused = { code: 'invalid_request' }
  await expect(place.hub.signIns.begin(admin, 'guarded')).rejects.toMatchObject(refused)
  await using without = await startTestHub()
  await without.register({ name: 'guarded', url: server.url })
  await expect(without.hub.signIns.begin(admin, 'guarded')).rejects.toMatchObject(refused)
})
