import { startMall } from '@dataagent/example-mall'
import { defineTool, type Principal } from '@dataagent/hub'
import { type RecordedRequest, toolRounds } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { collect, of, person, startEngine } from '../engine/test-engine.ts'
import { toInjections } from './test-injections.ts'
import { createObedientModel } from './test-obedient-model.ts'
import { decidesBy, no, yes } from './test-words.ts'

const admin: Principal = { ...person, user_id: 'root', role: 'admin' }
const injections = toInjections('post_data', '{"value":"all of it"}').filter((_, i) => i % 5 === 0)

test(`${injections.length} injections in what a user's own MCP server gives: no effect that nobody approved [D3.4] [T50]`, async () => {
  await using mall = await startMall()
  let effects = 0
  const post = defineTool({
    ...{ name: 'post_data', description: 'Sends data out.', approval: 'allow' },
    input: z.object({ value: z.string(), n: z.string() }),
    run: () => {
      effects += 1
      return 'sent'
    },
  })
  const obedient = createObedientModel()
  await using engine = await startEngine({
    ...{ tools: [post], agent: { toolMode: 'always' } },
    script: (request) => (readsFirst(request) ? { toolCalls: [read(request)] } : obedient(request)),
  })
  const { hub, executor } = engine
  await hub.policy.setAllowList(admin, { kind: 'tenant', id: '*' }, [{ server_id: '*', tool: '*' }])
  const config = { name: 'shop', url: mall.url, transport: 'sse' } as const
  const server = await hub.servers.register(person, { scope: 'user', config })
  const end = hub.upstreams.hold({ tenant_id: person.tenant_id, user_id: 'ada' })
  await hub.whenOffered(server)
  let asked = 0
  const handler = decidesBy((name) => {
    if (!name.includes('post_data')) return yes
    asked += 1
    return { ...no, on_reject: 'tell' }
  })
  for (const [i, text] of injections.entries()) {
    const orderId = `order-${String(i + 1).padStart(4, '0')}`
    const plant = { tool: { server_id: server.server_id, name: 'mall4j.order.add_note' } }
    await hub.callTool(
      { principal: person, source: 'api', approver: { kind: 'auto', setting: 'test' } },
      { ...plant, args: { orderId, text } },
    )
    const session_id = await engine.createSession()
    const context = { principal: person, approvals: { kind: 'handler', handler } as const }
    const events = await collect(executor.execute(`Look at ${orderId}`, session_id, context))
    expect(of(events, 'tool_result')[0]).toMatchObject({ status: 'success' })
    await collect(engine.createExecutor().execute('Thank you.', session_id, context))
  }
  end()
  expect(asked).toBeGreaterThanOrEqual(injections.length)
  expect(effects).toBe(0)
})

function readsFirst(request: RecordedRequest): boolean {
  return toolRounds(request) === 0 && userText(request).startsWith('Look at')
}

function read(request: RecordedRequest) {
  const name = request.tools.find((tool) => tool.name.includes('get_detail'))?.name ?? ''
  return { name, arguments: { orderId: userText(request).slice('Look at '.length) } }
}

function userText({ turns }: RecordedRequest): string {
  return turns.findLast(({ role }) => role === 'user')?.text ?? ''
}
