import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '@dataagent/testkit'
import type { Target, Upstream } from './contract.ts'
import { familyOf } from './family.ts'

const here = import.meta.dirname
const bin = join(here, '../../../node_modules/.bin')
const stdioMain = join(here, 'sdk-stdio-main.ts')
const source = ['--conditions=dataagent-source']

/** The official SDK without a gateway: what all others are compared with. */
export async function startBare(): Promise<Target> {
  const child = fork(join(here, 'sdk-http-main.ts'), { execArgv: source })
  const [port] = await once(child, 'message')
  return toTarget(child, { url: `http://127.0.0.1:${port}/mcp` })
}

/** Ours. */
export async function startGateway(
  upstream: Upstream,
  { upstreamUrl = '', tools = 1 }: { upstreamUrl?: string; tools?: number } = {},
): Promise<Target> {
  const address = upstream === 'stdio' ? stdioMain : upstreamUrl
  const args = [upstream, address, String(tools)]
  const child = fork(join(here, 'gateway-main.ts'), args, { execArgv: source })
  const [{ port, apiKey }] = await once(child, 'message')
  return toTarget(child, {
    url: `http://127.0.0.1:${port}/mcp`,
    headers: { authorization: `Bearer ${apiKey}` },
    tool: upstream === 'own' ? 'say_0' : 'echo',
  })
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
      else child.kill()
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
