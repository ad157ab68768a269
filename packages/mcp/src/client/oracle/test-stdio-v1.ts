import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createServerV1 } from './test-sdk-v1.ts'

await createServerV1().connect(new StdioServerTransport())
