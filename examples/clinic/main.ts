// The nine tools as an MCP server over stdio, as clients start it. Argument: the file of its data.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { openClinicDatabase } from './src/database/index.ts'
import { createMcpServer } from './src/mcp-server.ts'
import { createClinicTools } from './src/tools/clinic-tools.ts'

const [, , path] = process.argv
const database = openClinicDatabase(path)
const server = createMcpServer(createClinicTools({ database }))
await server.connect(new StdioServerTransport())
process.once('SIGTERM', end).once('SIGINT', end)
process.stdin.once('end', end)

function end(): void {
  database.close()
  process.exit(0)
}
