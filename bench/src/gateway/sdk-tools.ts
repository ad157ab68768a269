import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

/** One tool that says its text again, on the official SDK. */
export function createEchoServer(): McpServer {
  const server = new McpServer({ name: 'echo', version: '1.0.0' })
  server.registerTool(
    'echo',
    { description: 'Says it again.', inputSchema: { text: z.string() } },
    async ({ text }) => ({ content: [{ type: 'text', text }] }),
  )
  return server
}
