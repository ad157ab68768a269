import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { findFreePort } from '../services/free-port.ts'
import type { Direction, Fault } from './fault.ts'
import { createProxyConnection, type ProxyConnection } from './proxy-connection.ts'

/** A TCP proxy on loopback that breaks connections in ways one can choose while they run. */
export interface FaultProxy extends AsyncDisposable {
  readonly host: '127.0.0.1'
  readonly port: number
  /** The target's URL with the proxy's address in it. */
  readonly url: string
  /** Sets the fault of open connections, of those to come, or (default) of all. */
  set(fault: Fault, scope?: 'all' | 'new' | 'open'): Promise<void>
  /** The open ones, oldest first. */
  connections(): ProxyConnection[]
  counters(): FaultProxyCounters
}

export interface FaultProxyCounters {
  accepted: number
  open: number
  /** How many times the target could not be reached. */
  targetErrors: number
  /** Bytes passed on, over all connections, ended ones too. */
  bytes: Record<Direction, number>
}

export interface StartFaultProxyOptions {
  /** A URL with host and port (`mysql://…:3306/db`, `http://…:8080`), or `host:port`. */
  target: string
  /** Default `{ kind: 'pass' }`. */
  fault?: Fault
}

/** Starts a proxy before `target`. Disposing of it resets what is open. */
export async function startFaultProxy(options: StartFaultProxyOptions): Promise<FaultProxy> {
  const target = parseTarget(options.target)
  const port = await findFreePort()
  const connections = new Set<ProxyConnection>()
  const ended = { up: 0, down: 0 }
  let accepted = 0
  let targetErrors = 0
  let faultForNew: Fault = options.fault ?? { kind: 'pass' }

  const server = createServer({ allowHalfOpen: true }, (client) => void accept(client))

  async function accept(client: Socket) {
    const id = ++accepted
    client.on('error', () => {})
    const upstream = connect({ host: target.hostname, port: target.port, allowHalfOpen: true })
    try {
      await once(upstream, 'connect')
    } catch {
      targetErrors++
      client.resetAndDestroy()
      return
    }
    const connection = createProxyConnection({ id, client, target: upstream, fault: faultForNew })
    connections.add(connection)
    await Promise.all([closed(client), closed(upstream)])
    connections.delete(connection)
    ended.up += connection.bytes.up
    ended.down += connection.bytes.down
  }

  async function listen(shallListen: boolean) {
    if (shallListen === server.listening) return
    if (!shallListen) return void server.close()
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  const openConnections = () => [...connections].filter(({ isOpen }) => isOpen)

  await listen(faultForNew.kind !== 'refuse')
  return {
    host: '127.0.0.1',
    port,
    url: target.withPort(port),
    async set(fault, scope = 'all') {
      if (scope !== 'new') for (const connection of [...connections]) connection.set(fault)
      if (scope === 'open') return
      faultForNew = fault
      await listen(fault.kind !== 'refuse')
    },
    connections: openConnections,
    counters() {
      const bytes = { ...ended }
      for (const connection of connections) {
        bytes.up += connection.bytes.up
        bytes.down += connection.bytes.down
      }
      return { accepted, open: openConnections().length, targetErrors, bytes }
    },
    async [Symbol.asyncDispose]() {
      const end = server.listening ? once(server, 'close') : undefined
      server.close()
      for (const connection of [...connections]) connection.set({ kind: 'reset' })
      await end
    },
  }
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

interface Target {
  hostname: string
  port: number
  /** The target as it was given, at that port of loopback. */
  withPort(port: number): string
}

const defaultPorts: Record<string, number> = {
  'http:': 80,
  'https:': 443,
  'mysql:': 3306,
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
}

function parseTarget(text: string): Target {
  const url = new URL(text.includes('://') ? text : `tcp://${text}`)
  return {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || defaultPorts[url.protocol]),
    withPort(port) {
      url.hostname = '127.0.0.1'
      url.port = String(port)
      return url.protocol === 'tcp:' ? url.host : url.href
    },
  }
}
