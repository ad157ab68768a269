import { fileURLToPath } from 'node:url'

const main = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
)

/**
 * The official server of files, for one folder. Outside of this repository you would write
 * `command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', folder]`.
 */
export function filesServer(folder: string) {
  return { transport: 'stdio' as const, command: process.execPath, args: [main, folder] }
}
