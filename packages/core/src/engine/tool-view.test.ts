import { startMall } from '@dataagent/example-mall'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { ToolMode } from '../intent/index.ts'
import { of, startEngine } from './test-engine.ts'

const admin = { tenant_id: 'default', user_id: 'root', role: 'admin' } as const

/** An engine whose agent may use a mall over SSE. */
async function startShopping(toolMode: ToolMode) {
  const cleanup = new AsyncDisposableStack()
  const mall = cleanup.use(await startMall())
  const engine = cleanup.use(await startEngine({ agent: { toolMode } }))
  const { hub, standIn } = engine
  const config = {
    ...{ name: 'mall', url: mall.url, transport: mall.kind },
    ...{ description: 'Orders and products of the mall', trigger_keywords: ['parcel', '快递'] },
  }
  const server = await hub.servers.register(admin, { scope: 'tenant', config })
  await hub.policy.setAllowList(admin, { kind: 'tenant', id: 'default' }, [
    { server_id: '*', tool: '*' },
  ])
  await hub.whenOffered(server)
  return {
    ...{ mall, engine, server },
    /** What the model was told of the mall with this message: tools in full, and in the text. */
    async told(message: string) {
      const events = await engine.say(message)
      const { tools, turns } = standIn.requests.at(-1)!
      return {
        tools: tools.map(({ name }) => name).filter((name) => name.includes('mall')),
        text: turns[0]?.text.includes('mall4j') ?? false,
        usage: of(events, 'usage')[0]!,
      }
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

test('a prompt has the tools of running servers only [B1.1]', async () => {
  await using scene = await startShopping('always')
  expect((await scene.told('Hello')).tools).not.toEqual([])
  await scene.mall[Symbol.asyncDispose]()
  const { hub } = scene.engine
  const { server_id } = scene.server
  const offers = () => hub.catalogue.ofServer('default', server_id).map(({ offer }) => offer.status)
  await waitFor(() => offers().every((status) => status === 'unavailable'), { timeoutMs: 15_000 })
  expect(await scene.told('Hello again')).toMatchObject({ tools: [], text: false })
})

test('with MCP intent lines enter the prompt, without it nothing at all [B3.1] [B3.2] [B5.1]', async () => {
  await using scene = await startShopping('intent')
  const meant = await scene.told('Where is my parcel?')
  expect(meant).toMatchObject({ tools: [], text: true, usage: { tool_mode: 'intent' } })
  const { prompt_tokens, always_prompt_tokens } = meant.usage
  expect(always_prompt_tokens).toBeGreaterThan(prompt_tokens)
  expect(await scene.told('Write a poem about the sea.')).toMatchObject({ tools: [], text: false })
  const [, last] = scene.engine.standIn.requests
  expect(JSON.stringify(last?.body)).not.toContain('mall4j')
})

test('a tool is given in full once the model has asked for it', async () => {
  await using scene = await startShopping('intent')
  const { standIn } = scene.engine
  standIn.script((request) => {
    if (request.turns.at(-1)?.role === 'tool') return { text: 'Done.' }
    const [name] = request.turns[0]?.text.match(/[\w-]*order--get_detail|[\w-]*get_detail/) ?? ['']
    return { toolCalls: [{ name: 'describe_tool', arguments: { name } }] }
  })
  const { tools } = await scene.told('Where is my parcel?')
  expect(tools).toEqual([expect.stringContaining('get_detail')])
})
