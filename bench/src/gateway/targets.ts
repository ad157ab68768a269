import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '@dataagent/testkit'
import { familyOf } from '../harness.ts'
import { startServerProcess } from '../server/server-process.ts'
import type { Target } from './contract.ts'

const here = import.meta.dirname
const bin = join(here, '../../../node_modules/.bin')
const stdioMain = join(here, 'sdk-stdio-main.ts')
const adminKey = 'key-of-bench-administrator-0123456789'
const source = ['--conditions=dataagent-source']

/** The official SDK without a gateway: what all others are compared with. */
export async function startBare({ tools = 1 } = {}): Promise<Target> {
  const child = fork(join(here, 'sdk-http-main.ts'), [String(tools)], { execArgv: source })
  const [port] = await once(child, 'message')
  return toTarget(child, { url: `http://127.0.0.1:${port}/mcp` })
}

/** Ours: the real server with everything on, before an upstream by HTTP or, without URL, stdio. */
export async function startOurs({ upstreamUrl }: { upstreamUrl?: string } = {}): Promise<Target> {
  const server = await startServerProcess({
    env: {
      DATAAGENT_API_KEYS: `tenant=default;user=root;role=admin;key=${adminKey}`,
      ...{ MCP_RL_CALL_LIMIT: '1000000', MCP_RL_LIST_LIMIT: '1000000' },
    },
  })
  const config =
    upstreamUrl === undefined
      ? { name: 'echo', command: process.execPath, args: [stdioMain] }
      : { name: 'echo', url: upstreamUrl }
  await ask(server.url, '/mcp-servers', { config })
  const group = { group_id: 'bench', name: 'Bench', tools: [{ server_id: '*', tool: '*' }] }
  const { key } = await ask(server.url, '/mcp-groups', group)
  const isOffered = async () => {
    const { total } = await ask(server.url, '/tools?q=echo')
    return Number(total) > 0
  }
  await waitFor(isOffered, { timeoutMs: 60_000, what: 'tools of the upstream' })
  return {
    ...{ url: `${server.url}/mcp`, wire: 'http', tool: 'echo' },
    headers: { authorization: `Bearer ${key}` },
    pids: () => familyOf(server.pid),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Ours, embedded, with a tool of its own. */
export async function startOwnTool(): Promise<Target> {
  const child = fork(join(here, 'own-tool-main.ts'), { execArgv: source })
  const [{ port, apiKey }] = await once(child, 'message')
  return toTarget(child, {
    url: `http://127.0.0.1:${port}/mcp`,
    headers: { authorization: `Bearer ${apiKey}` },
  })
}

async function ask(url: string, path: string, json?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
    ...(json && { method: 'POST', body: JSON.stringify(json) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

export async function startMcpProxy(): Promise<Target> {
  const port = await freePort()
  const args = ['--port', String(port), '--host', '127.0.0.1', '--', process.execPath, stdioMain]
  return startProgram('mcp-proxy', args, { url: `http://127.0.0.1:${port}/mcp` })
}

export async function startSupergateway(): Promise<Target> {
  const port = await freePort()
  const args = ['--stdio', `${process.execPath} ${stdioMain}`, '--port', String(port)]
  const more = ['--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none']
  return startProgram('supergateway', [...args, ...more], { url: `http://127.0.0.1:${port}/mcp` })
}

export async function startMcpHub(upstreamUrl: string | undefined): Promise<Target> {
  const port = await freePort()
  const dir = await mkdtemp(join(tmpdir(), 'bench-mcp-hub-'))
  const echo =
    upstreamUrl === undefined
      ? { command: process.execPath, args: [stdioMain] }
      : { url: upstreamUrl }
  const file = join(dir, 'servers.json')
  await writeFile(file, JSON.stringify({ mcpServers: { echo } }))
  const args = ['--port', String(port), '--config', file]
  const target = await startProgram('mcp-hub', args, {
    ...{ url: `http://127.0.0.1:${port}/mcp`, wire: 'sse', tool: 'echo__echo', home: dir },
  })
  // It answers before it has connected.
  const health = async () => (await fetch(`http://127.0.0.1:${port}/api/health`)).text()
  const isReady = async () => (await health()).includes('"status":"connected"')
  await waitFor(isReady, { timeoutMs: 60_000, what: 'mcp-hub' })
  return {
    ...target,
    async [Symbol.asyncDispose]() {
      await target[Symbol.asyncDispose]()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

type Known = Pick<Target, 'url'> &
  Partial<Pick<Target, 'wire' | 'headers' | 'tool'>> & { home?: string }

async function startProgram(name: string, args: string[], known: Known): Promise<Target> {
  const env = known.home === undefined ? process.env : { ...process.env, HOME: known.home }
  const child = spawn(process.execPath, [join(bin, name), ...args], { stdio: 'ignore', env })
  const isThere = async () => {
    const answer = await fetch(known.url, { method: 'OPTIONS' }).catch(() => undefined)
    return answer !== undefined
  }
  await waitFor(isThere, { timeoutMs: 60_000, what: name })
  return toTarget(child, known)
}

function toTarget(child: ChildProcess, known: Known): Target {
  const { url, wire = 'http', headers = {}, tool = 'echo' } = known
  return {
    ...{ url, wire, headers, tool },
    pids: () => familyOf(child.pid as number),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      if (child.connected) child.disconnect()
      else child.kill('SIGKILL')
      await ended
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
