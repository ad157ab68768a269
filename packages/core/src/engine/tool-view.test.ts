import { startMall } from '@dataagent/example-mall'
import { toServerInfo } from '@dataagent/hub'
import { waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { ToolMode } from '../intent/index.ts'
import type { AgentConfig } from './contract.ts'
import { of, startEngine } from './test-engine.ts'
import { startFactory } from './test-factory.ts'
import { startSearchServer } from './test-search-server.ts'

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
    update: (changes: object) =>
      hub.servers.update(admin, server.server_id, { ...config, ...changes }),
    /** What the model was told of the mall with this message: tools in full, and in the text. */
    async told(message: string) {
      const events = await engine.say(message)
      const { tools, turns } = standIn.requests.at(-1)!
      return {
        tools: tools.map(({ name }) => name).filter((name) => name.includes('mall')),
        text: turns[0]?.text.includes('mall4j') ?? false,
        system: turns[0]?.text ?? '',
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

test('a prompt has nothing of a server that is disabled, whose status is stopped [B1.1]', async () => {
  await using scene = await startShopping('always')
  expect((await scene.told('Hello')).tools).not.toEqual([])
  const stopped = await scene.update({ disabled: true })
  expect(toServerInfo(stopped)).toMatchObject({ name: 'mall', status: 'stopped' })
  const told = await scene.told('Hello again')
  expect(told).toMatchObject({ tools: [], text: false })
  expect(told.system).not.toContain('Orders and products')
})

test("a server's description is in the prompt, and a change of it and of the keywords shows at the next message [B5.1]", async () => {
  await using scene = await startShopping('intent')
  const first = await scene.told('Where is my parcel?')
  expect(first.system).toContain('## mall: Orders and products of the mall')
  const description = 'Hats for every head'
  await scene.update({ description, trigger_keywords: ['hat', '帽子'] })
  expect(await scene.told('Where is my parcel?')).toMatchObject({ text: false })
  for (const message of ['Where is my hat?', '我的帽子呢']) {
    const { text, system } = await scene.told(message)
    expect(text).toBe(true)
    expect(system).toContain(`## mall: ${description}`)
  }
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

test('messages of no MCP intent after one that called a tool offer nothing of it; what was said stays [B3.2]', async () => {
  await using scene = await startShopping('intent')
  const { standIn } = scene.engine
  const name = 'mall--mall4j--order--get_detail'
  const call = { name, arguments: { orderId: 'order-0042' } }
  standIn.script((request) =>
    request.turns.at(-1)?.text.includes('parcel') ? { toolCalls: [call] } : 'Well.',
  )
  await scene.told('Where is my parcel?')
  expect(await scene.mall.calls()).toHaveLength(1)
  for (const message of ['Write a poem about the sea.', '记住我喜欢茶']) {
    expect(await scene.told(message)).toMatchObject({ tools: [], text: false })
    const { turns, body } = standIn.requests.at(-1)!
    const { messages, ...besides } = body
    expect(JSON.stringify(besides)).not.toMatch(/mall|describe_tool|call_tool|search_tools/)
    const mentions = turns.filter((turn) => JSON.stringify(turn).includes('mall4j'))
    expect(mentions.map(({ toolCalls }) => toolCalls[0]?.name)).toEqual([name])
    expect(JSON.stringify(messages)).not.toContain('"properties"')
  }
})

describe('an agent of defaults sees its MCP tools while they fit 2,000 tokens [B3.2]', () => {
  /** Four tools whose JSON, as the wire has it, is four characters a token: 500 tokens each. */
  function toolsOf(tokens: number) {
    const inputSchema = { type: 'object', properties: { query: { type: 'string' } } }
    return [0, 1, 2, 3].map((i) => {
      const size = i === 3 ? (tokens - 1_500) * 4 : 2_000
      const bare = { name: `big--t${i}`, description: '', parameters: inputSchema }
      const description = 'x'.repeat(size - JSON.stringify(bare).length)
      return { name: `t${i}`, description, inputSchema }
    })
  }

  async function startSized(tokens: number) {
    const cleanup = new AsyncDisposableStack()
    const upstream = cleanup.use(await startSearchServer(toolsOf(tokens)))
    const place = cleanup.use(await startFactory())
    const { hub, standIn } = place.engine
    await hub.policy.setAllowList(admin, { kind: 'tenant', id: '*' }, [
      { server_id: '*', tool: '*' },
    ])
    const config = { name: 'big', url: upstream.url, transport: 'http' } as const
    await hub.whenOffered(await hub.servers.register(admin, { scope: 'tenant', config }))
    return {
      async told(fields: Partial<AgentConfig> = {}) {
        const [usage] = of(await place.say(fields), 'usage')
        const names = standIn.requests.at(-1)!.tools.map(({ name }) => name)
        const seen = names.filter((name) => name.startsWith('big--') || name === 'search_tools')
        return { seen, mode: usage?.tool_mode }
      },
      [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
    }
  }

  const all = { seen: ['big--t0', 'big--t1', 'big--t2', 'big--t3'], mode: 'always' }
  const searched = { seen: ['search_tools'], mode: 'intent' }

  test('2,000 are all there; with a budget of 1,999, or in mode search, search_tools is', async () => {
    await using scene = await startSized(2_000)
    expect(await scene.told()).toEqual(all)
    expect(await scene.told({ tool_budget_tokens: 1_999 })).toEqual(searched)
    expect(await scene.told({ tool_mode: 'search' })).toEqual({ ...searched, mode: 'search' })
  })

  test('of 2,001 there is search_tools; with a budget of 2,001 they are all there', async () => {
    await using scene = await startSized(2_001)
    expect(await scene.told()).toEqual(searched)
    expect(await scene.told({ tool_budget_tokens: 2_001 })).toEqual(all)
  })
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
