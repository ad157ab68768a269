import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createEgress } from '@dataagent/guard'
import { createMcpManager, createTool, createToolRegistry } from '@dataagent/mcp'
import { createSecret } from '@dataagent/schema'
import { type Script, startModelStandIn, temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createOpenAiModel } from '../models/index.ts'
import { AgentLoop } from './agent-loop.ts'
import { startSearchServer } from './test-search-server.ts'

async function startModel(script: Script) {
  const cleanup = new AsyncDisposableStack()
  const standIn = cleanup.use(await startModelStandIn({ script }))
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const model = createOpenAiModel({
    ...{ egress, baseUrl: `${standIn.url}/v1`, apiKey: createSecret(standIn.apiKey) },
    model: 'standin',
  })
  return { standIn, model, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

const calling = (name: string, args: Record<string, unknown> = {}) => ({
  toolCalls: [{ name, arguments: args }],
})

describe('the loop over a registry [C6.1]', () => {
  test('TestAgentLoop_MCPTool_Selected', async () => {
    await using place = await startModel([
      calling('mcp--search--search', { query: 'hi' }),
      { text: 'It is: found hi' },
    ])
    await using search = await startSearchServer()
    await using mcp = createMcpManager()
    await mcp.addServer({ name: 'search', transport: 'http', url: search.url })
    const registry = createToolRegistry()
    mcp.injectTools(registry)
    const loop = new AgentLoop({ model: place.model, registry, systemPrompt: 'You are helpful.' })
    const result = await loop.run('Say hi')
    expect(result).toMatchObject({ text: 'It is: found hi', stopped: 'answered', turns: 2 })
    expect(result.messages).toContainEqual(
      expect.objectContaining({ role: 'tool', name: 'mcp--search--search', content: 'found hi' }),
    )
  })

  test('TestAgentLoop_MixedTools: local and MCP tools in one reply, and the next run goes on', async () => {
    await using place = await startModel([
      {
        toolCalls: [
          { name: 'today', arguments: {} },
          { name: 'mcp--search--search', arguments: { query: 'hi' } },
        ],
      },
      { text: 'Both done.' },
      { text: 'As I said.' },
    ])
    await using search = await startSearchServer()
    await using mcp = createMcpManager()
    await mcp.addServer({ name: 'search', transport: 'http', url: search.url })
    const registry = createToolRegistry()
    let extra: unknown
    const handler = (context: { extra: unknown }) => {
      extra = context.extra
      return '2026-11-16'
    }
    registry.register(createTool({ name: 'today', description: 'The date.', handler }))
    mcp.injectTools(registry)
    const loop = new AgentLoop({ model: place.model, registry, systemPrompt: 'You are helpful.' })
    const first = await loop.run('Both please', [], { tenant: 'a' })
    const contents = first.messages.filter(({ role }) => role === 'tool').map((m) => m.content)
    expect(contents).toEqual(['2026-11-16', 'found hi'])
    expect(extra).toEqual({ tenant: 'a' })
    const second = await loop.run('And?', first.messages)
    expect(second.text).toBe('As I said.')
    expect(place.standIn.requests[2]?.turns).toHaveLength(7)
  })

  test('stops at maxTurns and says so', async () => {
    await using place = await startModel(() => calling('today'))
    const registry = createToolRegistry()
    registry.register(createTool({ name: 'today', description: 'd', handler: () => 'x' }))
    const loop = new AgentLoop({
      ...{ model: place.model, registry, systemPrompt: 'You are helpful.', maxTurns: 3 },
    })
    expect(await loop.run('Go')).toMatchObject({ stopped: 'max_turns', turns: 3 })
  })

  test('a tool that fails, or does not exist, is told to the model', async () => {
    await using place = await startModel([
      {
        toolCalls: [
          { name: 'bad', arguments: {} },
          { name: 'none', arguments: {} },
        ],
      },
      { text: 'Sorry.' },
    ])
    const registry = createToolRegistry()
    const handler = () => {
      throw new Error('out of paper')
    }
    registry.register(createTool({ name: 'bad', description: 'd', handler }))
    const loop = new AgentLoop({ model: place.model, registry, systemPrompt: 'Help.' })
    const { text, messages } = await loop.run('Go')
    expect(text).toBe('Sorry.')
    const results = messages.filter((message) => message.role === 'tool')
    expect(results).toMatchObject([
      { content: 'Error: out of paper', is_error: true },
      { content: expect.stringContaining('none'), is_error: true },
    ])
  })

  test('a cancel ends the run and the tool [C1.2]', async () => {
    await using place = await startModel([calling('wait')])
    const cancel = new AbortController()
    const registry = createToolRegistry()
    let ended = false
    const handler = ({ signal }: { signal?: AbortSignal | undefined }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          ended = true
          reject(signal.reason)
        })
        cancel.abort()
      })
    registry.register(createTool({ name: 'wait', description: 'd', handler }))
    const loop = new AgentLoop({ model: place.model, registry, systemPrompt: 'Help.' })
    const run = loop.run('Go', [], {}, cancel.signal)
    await expect(run).rejects.toMatchObject({ code: 'cancelled' })
    expect(ended).toBe(true)
  })
})

test("the document's example: files over stdio, search over HTTP, a tool of one's own [C8.2]", async () => {
  await using folder = await temporaryDirectory()
  await using search = await startSearchServer()
  const path = join(folder.path, 'data.txt')
  await writeFile(path, 'forty-two')
  await using place = await startModel([
    calling('mcp--filesystem--read_file', { path }),
    { toolCalls: [{ name: 'mcp--search--search', arguments: { query: 'forty-two' } }] },
    { text: 'It holds forty-two.' },
  ])
  const mcp = createMcpManager()
  await mcp.addServer({
    ...{ name: 'filesystem', transport: 'stdio', command: process.execPath },
    ...{ args: [programOf('server-filesystem'), folder.path] },
    ...{ allowedTools: ['read_file', 'list_*'], maxTools: 10 },
  })
  await mcp.addServer({
    ...{ name: 'search', transport: 'http', url: search.url, timeout: 15 },
    headers: { Authorization: 'Bearer xxx' },
  })
  const registry = createToolRegistry()
  registry.register(createTool({ name: 'mine', description: 'My own.', handler: () => 'own' }))
  const once = mcp.injectTools(registry)
  expect(mcp.injectTools(registry)).toEqual(once)
  const names = registry.list().map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['mine', 'mcp.filesystem.read_file']))
  expect(names.every((name) => !name.includes('write_file'))).toBe(true)

  const loop = new AgentLoop({
    ...{ model: place.model, registry, systemPrompt: 'You are helpful.', maxTurns: 10 },
  })
  const result = await loop.run(`读取 ${path}`)
  expect(result.text).toBe('It holds forty-two.')
  const told = result.messages.flatMap((message) =>
    message.role === 'tool' ? [message.content] : [],
  )
  expect(told).toEqual(['forty-two', 'found forty-two'])
  expect(new Set(search.authorizations)).toEqual(new Set(['Bearer xxx']))
  await mcp.disconnectAll()
})

function programOf(server: string): string {
  const { resolve } = createRequire(import.meta.url)
  const manifest = resolve(`@modelcontextprotocol/${server}/package.json`)
  return join(dirname(manifest), 'dist/index.js')
}
