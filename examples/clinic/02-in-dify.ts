// What a Dify does that was given the address: it connects, lists, and calls.
import assert from 'node:assert/strict'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { createEgress } from '@dataagent/guard'
import { createDifyProfile } from '@dataagent/testkit'
import { serveClinic } from './src/gateway.ts'
import { readSettings } from './src/settings.ts'

const example = await readFile(join(import.meta.dirname, '.env.example'), 'utf8')
const settings = readSettings(parseEnv(example))
await using folder = await mkdtempDisposable(join(tmpdir(), 'clinic-dify-'))
await using served = await serveClinic({ folder: folder.path, port: 0, settings })

for (const path of ['/mcp/v1/sse', '/mcp', '/api/v1/mcp/jsonrpc']) {
  const dify = createDifyProfile({
    url: `${served.url}${path}`,
    headers: { Authorization: `Bearer ${served.apiKey}` },
  })
  const tools = await dify.listTools()
  assert.equal(tools.length, 9)
  const result = await dify.callTool('get_user_profile', { user_id: 'U0001' })
  console.log(path, tools.length, 'tools;', JSON.stringify(result.structuredContent).slice(0, 80))
}

// A plain client sees the five categories, and whose server it is.
await using egress = createEgress({ policy: { mode: 'any' } })
const send = egress.createFetch()
const ask = async (method: string, params: object) => {
  const response = await send(`${served.url}/api/v1/mcp/jsonrpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method, params }),
  })
  return ((await response.json()) as { result: never }).result
}
const { serverInfo, sessionToken, group_name }: Record<string, never> = await ask('initialize', {
  apiKey: served.apiKey,
})
assert.deepEqual(serverInfo, { name: 'AnmeiSmart MCP Server', version: '1.0.0' })
assert.equal(group_name, '医美智能助手')
const listed: { tools: { _meta: Record<string, string> }[] } = await ask('tools/list', {
  sessionToken,
})
const categories = new Set(listed.tools.map(({ _meta }) => _meta['dataagent/category']))
assert.equal(categories.size, 5)
console.log([...categories].join(', '))
