import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type Connect, clientInfo, type Target } from './contract.ts'

export const connect: Connect = async (target) => {
  const client = new Client(clientInfo)
  await client.connect(toTransport(target))
  await client.listTools()
  const options = { timeout: 600_000 }
  return (name, args) => client.callTool({ name, arguments: args }, undefined, options)
}

function toTransport(target: Target): Transport {
  if (target.wire === 'stdio') return new StdioClientTransport(target)
  // Its optional fields are declared for a compiler that tells absent from undefined less strictly.
  return new StreamableHTTPClientTransport(new URL(target.url)) as Transport
}
