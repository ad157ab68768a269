// Tools in the hands of a model. Any chat API will do: it is given schemas and gives back calls.
import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMcpManager, createToolRegistry } from '@dataagent/mcp'
import { filesServer } from './servers/files.ts'
import { chat, type Message } from './servers/model.ts'

await using folder = await mkdtempDisposable(join(tmpdir(), 'mcp-story-'))
await writeFile(join(folder.path, 'answer.txt'), '42')

await using mcp = createMcpManager()
await mcp.addServer({
  name: 'files',
  ...filesServer(folder.path),
  allowedTools: ['read_text_file'],
})
const registry = createToolRegistry()
mcp.injectTools(registry)

const tools = registry.toJsonSchemas().map((schema) => ({ type: 'function', function: schema }))
const content = `What does ${join(folder.path, 'answer.txt')} say?`
const messages: Message[] = [{ role: 'user', content }]
for (let turn = 0; turn < 5; turn++) {
  const reply = await chat({ messages, tools })
  messages.push(reply)
  if (!reply.tool_calls) break
  for (const { id, function: call } of reply.tool_calls) {
    // A tool that fails is told to the model, which may try another way.
    const result = await registry
      .execute(call.name, JSON.parse(call.arguments), { callId: id })
      .catch((error: Error) => `Error: ${error.message}`)
    messages.push({ role: 'tool', tool_call_id: id, content: `${result}` })
  }
}

console.log(messages.at(-1)?.content)
assert.equal(messages.at(-1)?.content, 'It says 42.')
