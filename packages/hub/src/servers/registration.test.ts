import { randomBytes } from 'node:crypto'
import { serverInfoSchema } from '@dataagent/schema'
import { describeSql } from '@dataagent/store/sql/describe-sql'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createServerGate } from './server-gate.ts'
import { createServers } from './servers.ts'
import { admin, ana, bo, createTestVault, failureOf } from './test-servers.ts'
import { toServerInfo } from './to-server-info.ts'

const everyField = {
  ...{ name: 'orders', alias: 'mall', description: 'Orders of the mall', timeout: 12.5 },
  ...{ trigger_keywords: ['订单', 'order'], maxRetries: 1, allowedTools: ['mall4j.*'] },
  ...{ blockedTools: ['mall4j.order.delete'], maxTools: 40, disabled: true, healthEvery: 5 },
  ...{ toolTimeouts: { 'mall4j.report.*': 90 }, idempotentTools: ['mall4j.order.get_detail'] },
  ...{ approval: 'ask' as const, toolApproval: { 'mall4j.order.refund': 'ask' as const } },
  ...{
    pinning: 'warn' as const,
    quarantine: true,
    trustedOutput: true,
    credentials: 'shared' as const,
  },
}
const remote = {
  url: 'https://mall.example:8443/sse',
  headers: { Authorization: 'Bearer abcdefghijklmnopqrst', 'X-Shop': '7' },
  proxy: 'http://proxy.example:3128',
}
const sse = { ...remote, transport: 'sse' as const }
const ways = [
  sse,
  { ...remote, transport: 'http' as const },
  {
    ...{ transport: 'stdio' as const, command: '/usr/bin/mall', args: ['--stdio', '文件'] },
    ...{ env: { MALL_KEY: 'k', EMPTY: '' }, cwd: '/srv/mall' },
  },
]

await describeSql('registration', (subject) => {
  const vault = createTestVault()
  const clock = createFakeClock()
  const open = () =>
    createServers({
      key: randomBytes(32),
      rows: subject().store.hub.servers,
      ...{ vault, clock, gate: createServerGate(), publish: () => undefined },
    })

  test.each(ways)('every field of a $transport server is kept [A1.1]', async (way) => {
    const servers = open()
    const config = { ...everyField, ...way }
    const { transport } = way
    const by = { ...admin, tenant_id: `all-${transport}` }
    const registered = await servers.register(by, {
      ...{ scope: 'tenant', server_id: `mall-${transport}`, config },
    })
    const reader = open()
    await reader.reload(by.tenant_id)
    const stored = reader.get(by.tenant_id, `mall-${transport}`)
    expect(stored).toEqual({ ...registered, config: expect.anything() })
    expect(revealed(stored?.config)).toEqual(revealed(config))
    expect(revealed(registered.config)).toEqual(revealed(config))
  })

  test('a list shows every field, its secrets only as set [A1.1] [A1.5]', async () => {
    const servers = open()
    const by = { ...admin, tenant_id: 'listed' }
    const config = { ...everyField, ...sse }
    await servers.register(by, { scope: 'tenant', server_id: 'mall', config })
    const [server] = servers.visibleTo(by)
    const info = toServerInfo(server!, { status: 'running', tool_count: 9 })
    const { headers, proxy, ...fields } = config
    expect(info).toEqual({
      ...{ ...fields, server_id: 'mall', scope: 'tenant', user_id: null },
      ...{ status: 'stopped', tool_count: 9 },
      ...{ created_at: clock.now(), updated_at: clock.now() },
      headers: { Authorization: { set: true, last4: 'qrst' }, 'X-Shop': { set: true } },
      proxy: { set: true, last4: '3128' },
    })
    expect(serverInfoSchema.parse(info)).toEqual(info)
  })

  test('a server that runs is shown with its tools, one that failed with the reason', async () => {
    const servers = open()
    const by = { ...admin, tenant_id: 'states' }
    const config = { name: 'a', url: 'https://x.example' }
    const server = await servers.register(by, { scope: 'tenant', config })
    expect(toServerInfo(server)).toMatchObject({ status: 'stopped', tool_count: 0 })
    const running = toServerInfo(server, { status: 'running', tool_count: 2 })
    expect(running).toMatchObject({ status: 'running', tool_count: 2 })
    const failed = toServerInfo(server, { status: 'error', message: 'no answer' })
    expect(failed).toMatchObject({ status: 'error', status_message: 'no answer' })
  })

  test('no more than five servers a user, also at once and in two processes [D31]', async () => {
    const both = [open(), open()]
    const her = { ...ana, tenant_id: 'quota' }
    const attempts = Array.from({ length: 20 }, (_, n) =>
      both[n % 2]!.register(her, {
        ...{ scope: 'user', config: { name: `s${n}`, url: 'https://x.example' } },
      }),
    )
    const settled = await Promise.allSettled(attempts)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    const config = { name: 'one more', url: 'https://x.example' }
    const failure = await failureOf(both[0]!.register(her, { scope: 'user', config }))
    expect(failure).toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringContaining('a user may have at most 5 servers'),
    })
    await both[0]!.register({ ...bo, tenant_id: 'quota' }, { scope: 'user', config })
  })
})

/** The same with secrets as texts. */
function revealed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if ('reveal' in value && typeof value.reveal === 'function') return value.reveal()
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revealed(one)]))
}
