import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { isClientError } from '@dataagent/client'
import { waitFor } from '@dataagent/testkit'
import type { Scene } from './scene.ts'

const memory = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
)

/** Servers are registered and tried, a model is added, and agents are bound to tools. */
export async function setUpServersAndAgents({ narrator, admin, mall, model }: Scene) {
  const { step } = narrator
  const overSse = { name: 'mall', url: mall.url, healthEvery: 1, trigger_keywords: ['order'] }
  const overStdio = { name: 'memory', command: process.execPath, args: [memory] }

  await step('a shop over HTTP+SSE is tried, then registered', async () => {
    const tried = await admin.servers.test({ config: overSse })
    assert.deepEqual([tried.ok, tried.tool_count], [true, 8])
    await admin.servers.create({ config: overSse })
  })
  await step('a server that somebody else wrote is started over stdio', () =>
    admin.servers.create({ config: overStdio }),
  )
  await step('the tools of both are offered', () =>
    waitFor(
      async () => (await toolCount(admin, 'mall')) === 8 && (await toolCount(admin, 'memory')) > 0,
      {
        ...{ timeoutMs: 20_000, what: 'tools' },
      },
    ),
  )
  await step('a model provider is added and tried', async () => {
    const provider = { provider_id: 'standin', name: 'Stand-in', kind: 'openai' } as const
    const base_url = `${model.url}/v1`
    await admin.modelProviders.create({
      ...provider,
      base_url,
      models: ['m'],
      api_key: model.apiKey,
    })
    assert.equal((await admin.modelProviders.test('standin')).ok, true)
  })
  await step('an agent is bound to two tools of the shop, another to all of them', async () => {
    await admin.agents.create({ assistant_id: 'clerk', name: 'Clerk', model: 'demo:demo' })
    const clerk = { kind: 'agent', subject_id: 'clerk' } as const
    const tools = ['mall4j.order.get_detail', 'mall4j.order.list']
    await admin.policy.bind(
      clerk,
      tools.map((tool) => ({ server_id: 'mall', tool })),
    )
    const manager = { assistant_id: 'manager', name: 'Manager', model: 'standin:m' }
    await admin.agents.create({ ...manager, tool_mode: 'always' })
    await admin.policy.bind({ kind: 'agent', subject_id: 'manager' }, [
      { server_id: 'mall', tool: '*' },
    ])
  })
  await step('a tool that is not there and one that is not allowed are refused alike', async () => {
    const call = (tool: string) => admin.tools.call({ tool, args: {}, assistant_id: 'clerk' })
    const isRefused = (tool: string) =>
      call(tool).then(
        () => false,
        (error: unknown) => isClientError(error, 'tool_not_allowed'),
      )
    for (const tool of ['mall.mall4j.product.search', 'mall.made_up']) {
      // A binding holds in every process within a second.
      await waitFor(() => isRefused(tool), { timeoutMs: 5_000, what: 'a refusal' })
    }
  })
}

export async function toolCount(client: Scene['admin'], q: string): Promise<number> {
  return (await client.tools.list({ q })).total
}
