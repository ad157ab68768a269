import { createEgress } from '@dataagent/guard'
import { createHttpTransport, createMcpClient, createStdioTransport } from '@dataagent/mcp'
import { type Connect, clientInfo, maxMessageBytes, type Target } from './contract.ts'

export const connect: Connect = async (target) => {
  const client = createMcpClient({ transport: toTransport(target), clientInfo })
  await client.connect({ era: target.wire === 'http' ? target.era : 'legacy' })
  await client.listTools()
  return (name, args) => client.callTool(name, args, { timeoutMs: 600_000 })
}

function toTransport(target: Target) {
  if (target.wire === 'stdio') return createStdioTransport({ ...target, maxMessageBytes })
  const egress = createEgress({ policy: { mode: 'any' } })
  return createHttpTransport({ url: target.url, egress })
}
