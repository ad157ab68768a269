// A hundred tools of a server, and how little of them a model has to read.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type ToolMode, toReplyText } from '@dataagent/core'
import { admin, openAgents, person } from './open-agents.ts'

await using agents = await openAgents()
const { hub } = agents
const server = await hub.servers.register(admin, {
  scope: 'tenant',
  server_id: 'warehouses',
  config: {
    name: 'warehouses',
    transport: 'stdio',
    command: process.execPath,
    args: [join(import.meta.dirname, 'warehouses.ts')],
    description: 'Stock and deliveries of our warehouses',
    trigger_keywords: ['warehouse', '仓库'],
  },
})
await hub.whenOffered(server)
await hub.policy.setAllowList(admin, { kind: 'agent', id: 'clerk' }, [
  { server_id: 'warehouses', tool: '*' },
])

/** The reply, and the tokens of prompts: as they were, and what every tool in full would be. */
async function ask(tool_mode: ToolMode, text: string) {
  const { executor, session_id } = await agents.openSession({ assistant_id: 'clerk', tool_mode })
  const events = await Array.fromAsync(executor.execute(text, session_id, { principal: person }))
  const usage = events.find((event) => event.event_type === 'usage')
  const { prompt_tokens = 0, always_prompt_tokens = 0 } = usage ?? {}
  const called = events.flatMap((event) =>
    event.event_type === 'tool_call' ? event.tool_name : [],
  )
  return { reply: toReplyText(events), called, prompt_tokens, always_prompt_tokens }
}

const messages = {
  chat: 'Hello',
  named: 'Use the count_stock_lima tool with sku=sku-0042',
  meant: 'Count the stock of sku-0042 in the warehouse of Lima',
}
const rows: Record<string, Record<string, string>> = {}
for (const mode of ['always', 'intent', 'search', 'auto'] as const) {
  for (const [kind, text] of Object.entries(messages)) {
    const { reply, called, prompt_tokens, always_prompt_tokens } = await ask(mode, text)
    const share = Math.round((100 * prompt_tokens) / always_prompt_tokens)
    rows[mode] = { ...rows[mode], [kind]: `${share} % of the tokens` }
    if (kind === 'chat') assert.deepEqual(called, [])
    // Whatever the mode, the same tool is found, asked for what it needs, and called.
    else assert.match(reply, /count_stock_lima of sku-0042: 7/)
    if (mode === 'always') assert.equal(prompt_tokens, always_prompt_tokens)
    else assert(prompt_tokens < always_prompt_tokens / 2)
  }
}
console.table(rows)
