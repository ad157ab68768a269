import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const launcher = '@modelcontextprotocol/inspector/clients/launcher/build/index.js'

/** The Inspector of MCP, for Node to run: it exports no file, so that its place is looked up. */
export function inspectorProgram(): string {
  const folders = createRequire(import.meta.url).resolve.paths(launcher) ?? []
  const found = folders.map((folder) => join(folder, launcher)).find((path) => existsSync(path))
  if (found === undefined) throw new Error('the Inspector is not installed')
  return found
}
