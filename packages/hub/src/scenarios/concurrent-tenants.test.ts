import { randomUUID } from 'node:crypto'
import { createStdioTransport } from '@dataagent/mcp'
import { readJson } from '@dataagent/schema'
import { hostileServerCommand, longCount, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { ToolOutcome } from '../outcome.ts'
import type { Principal } from '../principal.ts'
import { createEchoServers } from './test-echo-servers.ts'
import { everything, startTestHub, type TestHub, toContext } from './test-hub.ts'

const calls = longCount(20_000, 1_000_000)
const tenants = Array.from({ length: 20 }, (_, index) => `tenant-${index}`)
const callers = 200
const root: Principal = { tenant_id: '*', user_id: 'root', role: 'platform_admin' }

/** Its own tenant's server, the platform's in this process, and the platform's in its own. */
const servers = ['own', 'shared', 'stdio'] as const

test(
  `${calls} calls of ${callers} callers of ${tenants.length} tenants: each gets its own answer [A2.3] [T12]`,
  async () => {
    await using stdio = await hostileServerCommand('shuffled')
    const { createTransport } = createEchoServers()
    await using test = await startTestHub({
      settings: { defaultAllow: everything },
      createTransport: (server) =>
        server.server_id === 'stdio' ? createStdioTransport(stdio) : createTransport(server),
    })
    await connectAll(test)
    let left = calls
    let wrong = 0
    const begun = performance.now()
    const callOn = async (caller: number) => {
      const tenant_id = tenants[caller % tenants.length] ?? ''
      const context = toContext({ tenant_id, user_id: `user-${caller}` })
      for (let n = 0; left > 0; n += 1) {
        left -= 1
        // Most go over the in-process servers: a process of its own is the slowest part.
        const server = servers[n % 10 === 0 ? 2 : n % 2] ?? 'own'
        const message = randomUUID()
        const outcome = await test.hub.callTool(context, {
          tool: `${server}.echo`,
          args: { message },
          tool_call_id: 'call-1',
        })
        if (!isAnswer(outcome, { server, tenant_id, message })) wrong += 1
      }
    }
    await Promise.all(Array.from({ length: callers }, (_, caller) => callOn(caller)))
    const perSecond = Math.round((calls * 1_000) / (performance.now() - begun))
    console.info(`${calls} calls, ${wrong} wrong answers, ${perSecond} calls/s`)
    expect(wrong).toBe(0)
  },
  longCount(60_000, 1_800_000),
)

async function connectAll({ hub }: TestHub) {
  const local = { command: 'none' }
  for (const tenant_id of tenants) {
    const admin: Principal = { tenant_id, user_id: 'admin', role: 'admin' }
    const config = { name: 'own', ...local }
    await hub.servers.register(admin, { scope: 'tenant', config, server_id: 'own' })
  }
  for (const server_id of ['shared', 'stdio']) {
    const config = { name: server_id, ...local }
    await hub.servers.register(root, { scope: 'platform', config, server_id })
  }
  const tools = ['own.echo', 'shared.echo', 'stdio.echo']
  const hasAll = (tenant_id: string) => {
    const listed = hub.listTools(toContext({ tenant_id })).map(({ sdk_name }) => sdk_name)
    return tools.every((tool) => listed.includes(tool))
  }
  await waitFor(() => tenants.every(hasAll), { timeoutMs: 20_000 })
}

interface Asked {
  server: (typeof servers)[number]
  tenant_id: string
  message: string
}

function isAnswer(outcome: ToolOutcome, { server, tenant_id, message }: Asked): boolean {
  if (outcome.status !== 'ok') return false
  const { text } = outcome.result
  if (server === 'stdio') return text === message
  const answer = readJson(text) as { tenant_id?: string; arguments?: { message?: string } }
  const isTheirs = answer.tenant_id === (server === 'own' ? tenant_id : '*')
  return isTheirs && answer.arguments?.message === message
}
