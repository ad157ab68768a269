import type { Hub } from '@dataagent/hub'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { Caller, Exchange } from './contract.ts'
import { createFeatureServers } from './feature-servers.ts'

type Features = Hub['features']
type Asked = Awaited<ReturnType<Features['ask']>>

const none = { call_id: '', trace_id: '', duration_ms: 0 }
const late: Asked = {
  ...{ ...none, status: 'cancelled' },
  error: { code: 'cancelled', message: '', tool_name: '', advice: 'retry' },
}
const found: Asked = { ...none, status: 'ok', result: { resources: [{ uri: 'file:///x' }] } }

/** A server with a connection for each person, and a shared one; ann's never answers. */
function createTestServers() {
  const clock = createFakeClock()
  const asked: string[] = []
  const server = { tenant_id: 't', name: 'own', capabilities: { resources: {} } }
  const features: Pick<Features, 'list' | 'ask'> = {
    list: ({ principal: { user_id } }) => [
      { ...server, server_id: 'own', user_id },
      { ...server, server_id: 'shared', user_id: null },
    ],
    ask({ principal: { user_id }, signal }, { server_id }) {
      asked.push(`${server_id} ${user_id}`)
      if (server_id === 'shared' || user_id !== 'ann') return Promise.resolve(found)
      return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(late)))
    },
  }
  const servers = createFeatureServers({
    hub: { features } as Pick<Hub, 'features'>,
    holdMs: 1,
    clock,
  })
  const gather = (user_id: string) =>
    servers.gather(
      {
        caller: { principal: { tenant_id: 't', user_id, role: 'user' } } as Caller,
        request: { jsonrpc: '2.0', id: 1, method: 'resources/list' },
        exchange: { signal: new AbortController().signal, capabilities: {} } as Exchange,
      },
      { capability: 'resources', method: 'resources/list', member: 'resources' },
    )
  return { clock, asked, gather }
}

test('a slow connection of one person hides the server from no other [E5.2]', async () => {
  const { clock, asked, gather } = createTestServers()
  const first = gather('ann')
  clock.advance(3_000)
  expect(await first).toMatchObject({ members: { length: 1 }, isWhole: false })
  expect(await gather('bob')).toMatchObject({ members: { length: 2 }, isWhole: true })
  asked.length = 0
  expect(await gather('ann')).toMatchObject({ members: { length: 1 }, isWhole: false })
  expect(asked).toEqual(['shared ann'])
})
