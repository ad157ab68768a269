import type { Script } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { Principal } from '../identity/index.ts'
import { people, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

const late: Script = () => ({ text: 'Late.', ttft: 60_000 })
const config = { shutdown_grace: 0 }
const { ada, bob } = people

test('what a key began in the name of another ends with the key', async () => {
  await using server = await startTestPlatform({ script: late, config })
  const acting = await makeKey(server, 'boss', { act_as: true })
  const plain = await makeKey(server, 'ada')
  const begun = await begin(server, { ...ada, api_key: acting, acting_user: 'boss' })
  const other = await begin(server, { ...ada, api_key: plain })
  await server.ask('DELETE', `/users/boss/api-keys/${acting}`, { as: 'boss' })
  await begun.ended
  expect([await begun.status(), await other.status()]).toEqual(['cancelled', 'running'])
})

test.each([{ disabled: true }, { role: 'user' }])(
  'what the keys of a user began in the name of others ends with their right to it: %j',
  async (change) => {
    await using server = await startTestPlatform({ script: late, config })
    const chief = { user_id: 'chief', name: 'Chief', role: 'admin' }
    await server.ask('POST', '/users', { as: 'boss', json: chief })
    const acting = await makeKey(server, 'chief', { act_as: true })
    const own = { tenant_id: 'acme', user_id: 'chief', role: 'admin', api_key: acting } as const
    const begun = [
      await begin(server, { ...ada, api_key: acting, acting_user: 'chief' }),
      await begin(server, own),
    ]
    const other = await begin(server, bob)
    await server.ask('PATCH', '/users/chief', { as: 'boss', json: change })
    await Promise.all(begun.map(({ ended }) => ended))
    expect(await Promise.all(begun.map(({ status }) => status()))).toEqual([
      ...['cancelled', 'cancelled'],
    ])
    expect(await other.status()).toBe('running')
  },
)

test('who gets more rights keeps what they began', async () => {
  await using server = await startTestPlatform({ script: late, config })
  const begun = await begin(server, ada)
  await server.ask('PATCH', '/users/ada', { as: 'boss', json: { role: 'admin' } })
  expect(await begun.status()).toBe('running')
})

test('a turn whose key ends while it waits for its place does not begin', async () => {
  await using server = await startTestPlatform({
    ...{ script: late, config: { ...config, max_running_turns: 1 } },
  })
  const key = await makeKey(server, 'bob')
  const first = await begin(server, ada)
  const waiting = begin(server, { ...bob, api_key: key })
  const refused = expect(waiting).rejects.toMatchObject({ code: 'unauthenticated' })
  await server.ask('DELETE', `/users/bob/api-keys/${key}`, { as: 'boss' })
  await server.platform.runs.cancel(first.session_id)
  await refused
  expect(await server.platform.tables.runs.count({ tenant_id: 'acme', user_id: 'bob' })).toBe(0)
  expect(server.platform.runs.running).toBe(0)
})

async function makeKey(server: TestPlatform, user_id: string, fields = {}): Promise<string> {
  const json = { name: 'test', ...fields }
  const path = `/users/${user_id}/api-keys`
  return (await server.ask<{ key_id: string }>('POST', path, { as: 'boss', json })).body.key_id
}

async function begin({ platform }: TestPlatform, principal: Principal) {
  const { tenant_id, user_id } = principal
  const { assistant_id } = platform.agents.choose(tenant_id, undefined)
  const wanted = { tenant_id, user_id, assistant_id }
  const session = await platform.sessions.getOrCreateSession(wanted)
  const request = { principal, session, message: 'Hello', canAsk: false }
  const { run_id, ended } = await platform.runs.start(request)
  const status = async () => (await platform.tables.runs.get(tenant_id, run_id))?.status
  return { session_id: session.session_id, ended, status }
}
