import { join } from 'node:path'
import { type Mall, startMall } from '@dataagent/example-mall'
import { createEgress } from '@dataagent/guard'
import type { Principal } from '@dataagent/hub'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createSettings } from '../../config/index.ts'
import { type AgentConfig, createAgentFactory } from '../../engine/index.ts'
import { collect, of, person, startEngine, textOf } from '../../engine/test-engine.ts'
import { createMemoryStore } from '../../memory/index.ts'
import { createWorkspaces } from '../../workspaces/index.ts'
import { createDemoModel } from './demo-model.ts'

const admin: Principal = { ...person, user_id: 'root', role: 'admin' }

/** The demo model with the real tools of an agent; commands are approved as they are asked. */
async function setUp(config: Partial<AgentConfig> = {}) {
  const cleanup = new AsyncDisposableStack()
  const engine = cleanup.use(await startEngine())
  const { path } = cleanup.use(await temporaryDirectory())
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const settings = createSettings({ env: {}, egress, root: path })
  const workspaces = cleanup.use(createWorkspaces({ root: join(path, 'workspaces') }))
  const memory = cleanup.use(await createMemoryStore({ root: path }))
  const factory = createAgentFactory({ settings, hub: engine.hub, workspaces, egress, memory })
  const { agent } = factory.createAgent({
    ...{ assistant_id: 'helper', enable_memory: true, enable_shell: true, auto_approve: true },
    ...{ model: createDemoModel(), ...config },
  })
  const executor = engine.createExecutor({ agent })
  return {
    engine,
    async say(text: string) {
      const context = { principal: person }
      const events = await collect(executor.execute(text, engine.session_id, context))
      const calls = of(events, 'tool_call').map(({ tool_name, tool_args }) => [
        tool_name,
        tool_args,
      ])
      return { text: textOf(events), calls, results: of(events, 'tool_result') }
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

test('files with Chinese names, commands and memory work with the tools of an agent', async () => {
  await using place = await setUp()
  const { say } = place
  expect((await say('读取 文件/笔记.txt')).text).toContain('工作区里没有 `文件/笔记.txt`')
  expect((await say('写入 文件/笔记.txt：买牛奶')).results).toMatchObject([{ status: 'success' }])
  expect((await say('读取 文件/笔记.txt')).text).toContain('买牛奶')
  const { calls, text } = await say('用 shell 运行 ls 文件')
  expect(calls).toEqual([['shell', { command: 'ls 文件' }]])
  expect(text).toContain('笔记.txt')
  await say('记住我喜欢喝茶')
  expect((await say('我喜欢喝什么')).text).toContain('我喜欢喝茶')
  expect((await say('忘记我喜欢喝茶')).text).toContain('我忘掉了')
  expect((await say('我喜欢喝什么')).text).not.toContain('我喜欢喝茶')
}, 60_000)

async function addMall({ hub }: Awaited<ReturnType<typeof startEngine>>, mall: Mall) {
  await hub.policy.setAllowList(admin, { kind: 'tenant', id: '*' }, [{ server_id: '*', tool: '*' }])
  const server = await hub.servers.register(admin, {
    scope: 'tenant',
    config: { name: 'mall', url: mall.url, transport: 'sse', trigger_keywords: ['订单'] },
  })
  await hub.whenOffered(server)
}

const modes = ['search', 'intent', 'auto'] as const

test.each(modes)(
  'in mode %s a change is done by its own tool [B3.1] [B3.2]',
  async (tool_mode) => {
    await using mall = await startMall()
    await using place = await setUp({ tool_mode })
    await addMall(place.engine, mall)
    await place.say('查一下订单 order-0042')
    await place.say('取消订单 order-0003')
    await place.say('给订单 order-0005 加备注：周五送货')
    const called = (await mall.calls()).map(({ tool, arguments: args }) => [tool, args])
    expect(called).toEqual([
      ['mall4j.order.get_detail', { orderId: 'order-0042' }],
      ['mall4j.order.cancel', { orderId: 'order-0003' }],
      ['mall4j.order.add_note', expect.objectContaining({ orderId: 'order-0005' })],
    ])
  },
  60_000,
)
