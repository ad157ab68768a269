import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** The program of an MCP server that others wrote, from the packages that are installed. */
export function programOf(server: 'everything' | 'filesystem' | 'memory'): string {
  const manifest = require.resolve(`@modelcontextprotocol/server-${server}/package.json`)
  return join(dirname(manifest), 'dist/index.js')
}
