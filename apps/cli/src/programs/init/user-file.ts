import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The user's own MCP servers of an agent; undefined for an id that cannot name a folder. */
export function userFileOf(home: string, assistant_id: string): string | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/.test(assistant_id)) return undefined
  return join(home, '.deepagents', assistant_id, 'mcp.json')
}

export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** A file without servers, closed to other users: values in it may be secrets. */
export async function writeEmptyFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, '{\n  "mcpServers": {}\n}\n', { flag: 'wx', mode: 0o600 })
}
