// The engine's small face: a model of one's own, tools of one's own, tools of MCP servers.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { AgentLoop, type AgentMiddleware, type ModelDelta, type ModelPort } from '@dataagent/core'
import { createMcpManager, createTool, createToolRegistry } from '@dataagent/mcp'

// What a model is: a name, a size, and a stream of pieces. Yours asks whatever you have.
const model: ModelPort = {
  name: 'mine:parrot',
  contextWindow: 8_000,
  callsTools: true,
  async *stream({ messages, tools }): AsyncGenerator<readonly ModelDelta[]> {
    const results = messages.filter(({ role }) => role === 'tool')
    const next = tools[results.length]
    if (next === undefined) {
      yield [{ type: 'text', text: results.map(({ content }) => content).join(' / ') }]
      yield [{ type: 'finish', reason: 'stop' }]
      return
    }
    const args = { sku: 'sku-0042' }
    const call = { id: `call-${results.length}`, name: next.name, arguments: args }
    yield [{ type: 'tool_call', ...call, raw: JSON.stringify(args) }]
    yield [{ type: 'finish', reason: 'tool_calls' }]
  },
}

const registry = createToolRegistry()
registry.register(
  createTool({ name: 'today', description: 'The date.', handler: () => '2026-11-16' }),
)
await using mcp = createMcpManager()
await mcp.addServer({
  name: 'warehouses',
  transport: 'stdio',
  command: process.execPath,
  args: [join(import.meta.dirname, 'warehouses.ts')],
  allowedTools: ['count_stock_l*'],
})
mcp.injectTools(registry)

// A hook sees each call, and may change it or what comes of it.
const seen: string[] = []
const watch: AgentMiddleware = {
  name: 'watch',
  async wrapToolCall(request, handler) {
    const reply = await handler(request)
    seen.push(`${request.call.name} ${reply.outcome}`)
    return reply
  },
}

const loop = new AgentLoop({ model, registry, systemPrompt: 'You count.', hooks: [watch] })
const { text, turns, stopped, messages } = await loop.run('How many?')
console.log(text, seen)
assert.equal(stopped, 'answered')
assert.equal(turns, registry.toJsonSchemas().length + 1)
assert.match(text, /^2026-11-16 \/ count_stock_lagos of sku-0042: 7 \/ count_stock_lima/)
assert.equal(seen.length, turns - 1)

// The next run gets what was said. One that does not come to an end is stopped, and says so.
const short = new AgentLoop({ model, registry, systemPrompt: 'You count.', maxTurns: 2 })
assert.equal((await short.run('And now?', messages)).stopped, 'answered')
assert.equal((await short.run('How many?')).stopped, 'max_turns')
