import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createServerV2 } from './test-sdk-v2.ts'

serveStdio(() => createServerV2())
