import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inspectorProgram, temporaryDirectory } from '@dataagent/testkit'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { onTestFinished } from 'vitest'

const { resolve } = createRequire(import.meta.url)

/** The folder of an installed package, also of one that does not export its package.json. */
function folderOf(name: string): string {
  const folders = resolve.paths(name) ?? []
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (found === undefined) throw new Error(`${name} is not installed`)
  return found
}

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** Runs the Inspector's command line, with a home of its own. */
export async function inspect(...args: string[]): Promise<Ran> {
  await using home = await temporaryDirectory()
  const env = { PATH: process.env.PATH, HOME: home.path }
  const run = promisify(execFile)
  try {
    const all = [inspectorProgram(), '--cli', ...args]
    return { code: 0, ...(await run(process.execPath, all, { env, timeout: 60_000 })) }
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout: string; stderr: string }
    return { code: Number(code ?? 1), stdout, stderr }
  }
}

/** A client that knows local servers alone, with mcp-remote between it and the gateway. */
export async function connectThroughRemote(
  args: string[],
  { authorize }: { authorize?: (url: string) => Promise<string> } = {},
): Promise<Client> {
  const home = await temporaryDirectory()
  onTestFinished(() => home[Symbol.asyncDispose]())
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(folderOf('mcp-remote'), 'dist/proxy.js'), ...args, '--allow-http'],
    env: { HOME: home.path, MCP_REMOTE_CONFIG_DIR: home.path, PATH: '' },
    stderr: 'pipe',
  })
  const client = new Client({ name: 'local', version: '1.0.0' })
  onTestFinished(() => client.close())
  let said = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk
    const url = /https?:\/\/\S+\/mcp\/oauth\/authorize\?\S+/.exec(said)?.[0]
    if (url === undefined || authorize === undefined) return
    said = ''
    void authorize(url).then((back) => fetch(back))
  })
  await client.connect(transport)
  return client
}
