import { createRedisKv } from '@dataagent/store/kv'
import { canStartService, startHostileHttp, startRedis } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startTestHub, toContext } from './test-hub.ts'

const settings = { defaultAllow: [{ server_id: '*', tool: 'echo' }] }

test.skipIf(!(await canStartService('redis')))(
  'without Redis calls go on, what is denied stays denied, and each has its row [F16]',
  async () => {
    await using redis = await startRedis()
    await using kv = createRedisKv({ url: redis.url, prefix: 'p:', timeoutMs: 300 })
    await using server = await startHostileHttp('none')
    await using test = await startTestHub({ kv, settings })
    await test.connect({ name: 'far', url: server.url, transport: 'http' })
    const { hub, admin } = test
    const echo = () => hub.callTool(toContext(), { tool: 'echo', args: { message: 'hi' } })
    const count = () => hub.callTool(toContext(), { tool: 'count', args: {} })
    const before = [await echo(), await count()]
    await redis.kill()
    const after = [await echo(), await count(), await echo(), await count()]
    expect([...before, ...after].map(({ status }) => status)).toEqual(
      Array.from({ length: 3 }, () => ['ok', 'denied']).flat(),
    )
    expect(server.notes('effect')).toEqual([])
    await hub.audit.flush()
    const rows = await hub.audit.query(admin, { limit: 100, offset: 0 })
    expect(new Set(rows.map(({ call_id }) => call_id))).toEqual(
      new Set([...before, ...after].map(({ call_id }) => call_id)),
    )
    expect(await hub.audit.verify('acme')).toMatchObject({ ok: true })
  },
)
