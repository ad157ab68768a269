import { expect, test } from 'vitest'
import { admin, startTestGateway } from './test-gateway.ts'
import { getCode, signIn } from './test-sign-in.ts'
import { ask, request } from './test-wire.ts'

const key = 'da_the-key-of-ana-0123456789'
const ana = { tenant_id: 'acme', user_id: 'ana', role: 'user', api_key: 'ana-1' } as const
const subject = { kind: 'api_key', id: ana.api_key } as const
const body = request(1, 'tools/call', { name: 'echo', arguments: { text: 'hi' } })

test('a key that is bound to tools gets none by a group, whoever it let in before [A2.1]', async () => {
  const { workers } = await startTestGateway({ people: { [key]: ana } })
  const [{ url, hub }, other] = workers
  const { access_token: token } = await signIn(url, { key })
  expect((await ask(`${url}/mcp`, { token, body })).result).toBeDefined()
  await hub.policy.setAllowList(admin, subject, [{ server_id: '*', tool: 'other' }])
  await other.hub.revisions.check()
  for (const worker of workers) {
    expect((await ask(`${worker.url}/mcp`, { token, body })).status).toBe(401)
  }
  await expect(getCode(url, { key, group_id: 'all' })).rejects.toThrow('answered 400')
})
