import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createEchoServer } from './sdk-tools.ts'

await createEchoServer().connect(new StdioServerTransport() as never)
