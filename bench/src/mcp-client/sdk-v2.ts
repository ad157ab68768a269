import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type Connect, clientInfo, type Target } from './contract.ts'

export const connect: Connect = async (target) => {
  const modern = target.wire === 'http' && target.era === 'modern'
  const mode = modern ? { pin: '2026-07-28' } : 'legacy'
  const client = new Client(clientInfo, { versionNegotiation: { mode } })
  await client.connect(toTransport(target))
  await client.listTools()
  return (name, args) => client.callTool({ name, arguments: args }, { timeout: 600_000 })
}

function toTransport(target: Target) {
  if (target.wire === 'stdio') return new StdioClientTransport(target)
  return new StreamableHTTPClientTransport(new URL(target.url))
}
