import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

/** Tools that say their text again, on the official SDK: `echo`, `echo_1`, … */
export function createEchoServer(count = 1): McpServer {
  const server = new McpServer({ name: 'echo', version: '1.0.0' })
  for (let index = 0; index < count; index += 1) {
    server.registerTool(
      index === 0 ? 'echo' : `echo_${index}`,
      { description: 'Says it again.', inputSchema: { text: z.string() } },
      async ({ text }) => ({ content: [{ type: 'text', text }] }),
    )
  }
  return server
}
