import { readFileSync } from 'node:fs'
import {
  type HostileHttp,
  type HostileKnobs,
  type HostileMode,
  type HostileTransport,
  hostileServerCommand,
  type NoteKind,
  startHostileHttpApart,
} from '@dataagent/testkit'
import type { McpServerConfig } from '../manager/contract.ts'

export const transports: readonly HostileTransport[] = ['stdio', 'http', 'sse']

/** A hostile server, however it is reached. */
export interface Hostile extends AsyncDisposable {
  /** How a manager reaches it. */
  config(name: string): McpServerConfig
  notes(kind: NoteKind): string[]
  /** The living processes, or open connections, that clients of it still have. */
  held(): number
}

/** A server in another process or thread that behaves well but for `mode`. */
export async function startHostile(
  transport: HostileTransport,
  mode: HostileMode,
  knobs?: HostileKnobs,
): Promise<Hostile> {
  if (transport === 'stdio') return overStdio(mode, knobs)
  return overHttp(transport, await startHostileHttpApart(mode, knobs))
}

/**
 * Starts one server after the other, none in the way of this process's loop: over stdio each is a
 * process, over HTTP all are one server on another thread that changes its mode.
 */
export async function createHostileInn(transport: HostileTransport): Promise<HostileInn> {
  if (transport === 'stdio') {
    return { invite: overStdio, [Symbol.asyncDispose]: async () => {} }
  }
  const server = await startHostileHttpApart('none')
  return {
    async invite(mode, knobs) {
      const before = new Map<NoteKind, number>()
      const notes = (kind: NoteKind) => server.notes(kind).slice(before.get(kind) ?? 0)
      for (const kind of ['effect', 'received', 'cancelled', 'request'] as const) {
        before.set(kind, server.notes(kind).length)
      }
      await server.set(mode, knobs)
      return { ...overHttp(transport, server), notes, [Symbol.asyncDispose]: async () => {} }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

export interface HostileInn extends AsyncDisposable {
  invite(mode: HostileMode, knobs?: HostileKnobs): Promise<Hostile>
}

function overHttp(transport: 'http' | 'sse', server: HostileHttp): Hostile {
  const url = transport === 'http' ? server.url : server.sseUrl
  return {
    config: (name) => ({ name, transport, url }),
    notes: server.notes,
    held: server.connections,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function overStdio(mode: HostileMode, knobs?: HostileKnobs): Promise<Hostile> {
  const server = await hostileServerCommand(mode, knobs)
  const { command, args, notes } = server
  const pids = () => [...notes('start'), ...notes('grandchild')]
  return {
    config: (name) => ({ name, transport: 'stdio', command, args }),
    notes,
    held: () => pids().filter((pid) => isAlive(pid)).length,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** One that has ended and was not waited for by its parent is not alive. */
function isAlive(pid: string): boolean {
  try {
    return /\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

/** How many tool calls have reached it. */
export function countCalls({ notes }: Hostile): number {
  return notes('received').filter((method) => method === 'tools/call').length
}
