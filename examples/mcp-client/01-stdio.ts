// A server that we start ourselves and speak to over its standard input and output.
import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMcpManager } from '@dataagent/mcp'
import { filesServer } from './servers/files.ts'

await using folder = await mkdtempDisposable(join(tmpdir(), 'mcp-story-'))
const path = join(folder.path, 'hello.txt')
await writeFile(path, 'Hello from a file.')

await using mcp = createMcpManager()
await mcp.addServer({ name: 'files', ...filesServer(folder.path), allowedTools: ['read_*'] })

console.log(mcp.listTools().map(({ name }) => name))
const text = await mcp.callTool('mcp.files.read_text_file', { path })

console.log(text)
assert.equal(text, 'Hello from a file.')
