// Two servers and a function of our own, offered to a model as one set of tools.
import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMcpManager, createTool, createToolRegistry } from '@dataagent/mcp'
import { startEverything } from './servers/everything.ts'
import { filesServer } from './servers/files.ts'

await using folder = await mkdtempDisposable(join(tmpdir(), 'mcp-story-'))
const path = join(folder.path, 'orders.csv')
await writeFile(path, 'order,amount\n1,20\n2,22\n')
await using search = await startEverything()

const registry = createToolRegistry()
registry.register(
  createTool({
    name: 'today',
    description: 'The date of today.',
    handler: () => new Date().toISOString().slice(0, 10),
  }),
)

const mcp = createMcpManager()
await mcp.addServer({
  name: 'filesystem',
  ...filesServer(folder.path),
  allowedTools: ['read_file', 'list_*'],
  maxTools: 10,
})
await mcp.addServer({
  name: 'search',
  transport: 'http',
  url: search.url,
  headers: { Authorization: 'Bearer sk-example' },
  timeout: 15,
  allowedTools: ['echo', 'get-sum'],
})

// Injection is yours to do, and may be done again: after a server has changed its tools, say.
mcp.injectTools(registry)
const { injected, taken } = mcp.injectTools(registry)
console.log(injected)
assert.deepEqual(taken, [])
assert.deepEqual(
  registry
    .list()
    .map(({ name }) => name)
    .sort(),
  ['today', ...injected].sort(),
)

// What goes to the model, whose API takes letters, digits, - and _ alone…
const [first] = registry.toJsonSchemas().filter(({ name }) => name !== 'today')
assert.match(`${first?.name}`, /^[a-zA-Z0-9_-]{1,64}$/)
assert.match(`${first?.description}`, /^\[MCP:filesystem\] /)

// … and what comes back from it.
assert.match(`${await registry.execute('mcp.filesystem.read_file', { path })}`, /1,20/)
assert.match(`${await registry.execute('mcp.search.get-sum', { a: 20, b: 22 })}`, /42/)
assert.match(`${await registry.execute('today', {})}`, /^\d{4}-/)

mcp.removeTools(registry)
assert.deepEqual(
  registry.list().map(({ name }) => name),
  ['today'],
)
await mcp.disconnectAll()
