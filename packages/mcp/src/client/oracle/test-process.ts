import { fileURLToPath } from 'node:url'
import { createStdioTransport } from '../../transports/stdio/stdio-transport.ts'

/** A server process of an official SDK, a new one for each transport. */
export function serveProcess(sdk: 'v1' | 'v2') {
  const script = fileURLToPath(new URL(`./test-stdio-${sdk}.ts`, import.meta.url))
  const createTransport = () => createStdioTransport({ command: process.execPath, args: [script] })
  return async () => ({ createTransport, async [Symbol.asyncDispose]() {} })
}
