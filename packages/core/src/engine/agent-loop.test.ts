import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createEgress } from '@dataagent/guard'
import { createMcpManager, createTool, createToolRegistry } from '@dataagent/mcp'
import { createSecret } from '@dataagent/schema'
import {
  type HostileHttp,
  type Script,
  startHostileHttp,
  startModelStandIn,
  temporaryDirectory,
  waitFor,
} from '@dataagent/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AgentMiddleware } from '../middleware/index.ts'
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

  test('hooks give words to the system prompt, and stand around each call of a tool', async () => {
    await using place = await startModel([calling('today'), { text: 'It is done.' }])
    const registry = createToolRegistry()
    const handler = () => '2026-11-16'
    registry.register(createTool({ name: 'today', description: 'The date.', handler }))
    const seen: unknown[] = []
    const hook = {
      name: 'mine',
      systemPrompt: () => 'Say the date in words.',
      async wrapToolCall(request, next) {
        const reply = await next(request)
        seen.push([request.call.name, reply.content])
        return { ...reply, content: `${reply.content}, a Monday` }
      },
    } satisfies AgentMiddleware
    const needs = { model: place.model, registry, systemPrompt: 'You help.' }
    await new AgentLoop({ ...needs, hooks: [hook] }).run('Which day is it?')
    expect(seen).toEqual([['today', '2026-11-16']])
    const [first, second] = place.standIn.requests
    expect(first?.turns[0]).toMatchObject({
      ...{ role: 'system', text: 'You help.\n\nSay the date in words.' },
    })
    expect(second?.turns.at(-1)?.toolResults[0]?.text).toBe('2026-11-16, a Monday')
  })

  test('the loop injects nothing: the registry stays as its caller made it [C5.3]', async () => {
    await using place = await startModel(() => ({ text: 'Hello.' }))
    await using search = await startSearchServer()
    await using mcp = createMcpManager()
    await mcp.addServer({ name: 'search', transport: 'http', url: search.url })
    const registry = createToolRegistry()
    registry.register(createTool({ name: 'today', description: 'd', handler: () => 'x' }))
    const loop = new AgentLoop({ model: place.model, registry, systemPrompt: 'Help.' })
    const offered = () => place.standIn.requests.at(-1)?.tools.map(({ name }) => name)
    const held = registry.list()
    await loop.run('Go')
    expect([registry.list(), offered()]).toEqual([held, ['today']])
    mcp.injectTools(registry)
    const injected = registry.list()
    await loop.run('Go')
    expect(registry.list()).toEqual(injected)
    expect(offered()).toEqual(['today', 'mcp--search--search'])
  })
})

describe('a call of an MCP tool in the loop [C1.2]', () => {
  let upstream: HostileHttp
  beforeEach(async () => {
    upstream = await startHostileHttp('none')
  })
  afterEach(() => upstream[Symbol.asyncDispose]())

  /** A run that calls a tool of the server that takes a minute, and is given up there too. */
  async function runSlow(toSignal?: () => AbortSignal) {
    await using place = await startModel([
      calling('mcp--odd--slow', { ms: 60_000 }),
      { text: 'It took too long.' },
    ])
    await using mcp = createMcpManager()
    const server = { name: 'odd', transport: 'http', url: upstream.url } as const
    await mcp.addServer({ ...server, timeout: toSignal ? 60 : 0.5, maxRetries: 0 })
    const registry = createToolRegistry()
    mcp.injectTools(registry)
    const loop = new AgentLoop({ model: place.model, registry, systemPrompt: 'Help.' })
    try {
      const { messages } = await loop.run('Go', [], {}, toSignal?.())
      return messages.filter(({ role }) => role === 'tool')
    } finally {
      // While the connection stands: its end would end the call as well.
      await waitFor(() => upstream.notes('cancelled').length > 0, { what: 'a cancelled call' })
      expect(upstream.notes('cancelled')).toHaveLength(1)
    }
  }

  test('is ended by a signal that times out', async () => {
    const run = runSlow(() => AbortSignal.timeout(1_500))
    await expect(run).rejects.toMatchObject({ code: 'cancelled' })
  })

  test('is ended by a signal that is aborted', async () => {
    const cancel = new AbortController()
    const run = expect(runSlow(() => cancel.signal)).rejects.toMatchObject({ code: 'cancelled' })
    await waitFor(() => upstream.notes('received').includes('tools/call'), { what: 'a call' })
    cancel.abort()
    await run
  })

  test("without a signal ends at the server's own timeout, which the model is told", async () => {
    const content = expect.stringContaining('did not answer within 500 ms')
    expect(await runSlow()).toMatchObject([{ name: 'mcp--odd--slow', is_error: true, content }])
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
    calling('mine'),
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
  let ownRuns = 0
  const handler = () => {
    ownRuns += 1
    return 'own'
  }
  registry.register(createTool({ name: 'mine', description: 'My own.', handler }))
  const names = () => registry.list().map(({ name }) => name)
  const once = mcp.injectTools(registry)
  const injected = names()
  expect(mcp.injectTools(registry)).toEqual(once)
  expect(names()).toEqual(injected)
  const files = ['read_file', 'list_directory', 'list_directory_with_sizes']
  expect(injected.toSorted()).toEqual(
    [
      'mine',
      'mcp.search.search',
      ...[...files, 'list_allowed_directories'].map((name) => `mcp.filesystem.${name}`),
    ].toSorted(),
  )

  const loop = new AgentLoop({
    ...{ model: place.model, registry, systemPrompt: 'You are helpful.', maxTurns: 10 },
  })
  const result = await loop.run(`读取 ${path}`)
  expect(result.text).toBe('It holds forty-two.')
  const told = result.messages.flatMap((message) =>
    message.role === 'tool' ? [message.content] : [],
  )
  expect(told).toEqual(['forty-two', 'found forty-two', 'own'])
  expect(ownRuns).toBe(1)
  expect(new Set(search.authorizations)).toEqual(new Set(['Bearer xxx']))
  const children = () => findChildren(folder.path)
  expect(await children()).toHaveLength(1)
  await mcp.disconnectAll()
  expect(mcp.serverNames()).toEqual([])
  await waitFor(async () => (await children()).length === 0, { what: 'the end of the child' })
})

/** Processes that were started with this argument. */
async function findChildren(argument: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (line.split('\0').includes(argument)) found.push(pid)
  }
  return found
}

function programOf(server: string): string {
  const { resolve } = createRequire(import.meta.url)
  const manifest = resolve(`@modelcontextprotocol/${server}/package.json`)
  return join(dirname(manifest), 'dist/index.js')
}
