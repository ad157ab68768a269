import type { ServerFault, ServerInfo, Transport } from '@dataagent/schema'
import type { Text } from '../../words/index.ts'
import type { FileServer, FileServers } from '../contract.ts'
import { readServers } from '../read-servers.ts'
import type { McpShell } from './contract.ts'
import { advice } from './words.ts'

/** How a server fares, in the order of how much it needs a person. */
export const serverStates = [
  ...(['failed', 'sign_in', 'credentials', 'invalid', 'untrusted'] as const),
  ...(['connecting', 'connected', 'idle', 'refused', 'off'] as const),
]
export type ServerState = (typeof serverStates)[number]

/** One server as it is listed. */
export interface ServerRow {
  name: string
  state: ServerState
  transport: Transport | undefined
  /** Undefined where the platform does not have it. */
  tool_count: number | undefined
  /** `file`: of a configuration file; `own`: kept for the user at the platform. */
  scope: 'file' | 'own' | 'shared'
  /** The file. */
  source: string | undefined
  problem: string | undefined
  advice: Text | undefined
  server_id: string | undefined
}

const attention: ReadonlySet<ServerState> = new Set([
  ...(['failed', 'sign_in', 'credentials', 'invalid', 'untrusted'] as const),
])

export function needsAttention({ state }: ServerRow): boolean {
  return attention.has(state)
}

/** Every server of the platform and of the files, those that need a person first. */
export async function readRows(shell: McpShell): Promise<ServerRow[]> {
  const { link, signal, place, trust, lang } = shell
  const { client, user_id } = link
  const none: FileServers = { servers: [], problems: [] }
  const isLocal = link.kind === 'local'
  const [own, shared, files] = await Promise.all([
    client.userServers.list(user_id, { signal }),
    client.servers.list({ signal }),
    isLocal ? readServers({ ...place, trust, lang }) : none,
  ])
  const named = new Map(
    files.servers.flatMap((one) => (one.status === 'ok' ? [[one.name, one] as const] : [])),
  )
  const names = new Set(own.servers.map(({ name }) => name))
  const left = files.servers.filter(({ name, status }) => status !== 'ok' || !names.has(name))
  const rows = [
    ...own.servers.map((info) => fromInfo(info, shell, named.get(info.name))),
    ...shared.servers.map((info) => fromInfo(info, shell)),
    ...left.map((server) => fromFile(server, shell)),
  ]
  return rows.sort(byAttention)
}

function byAttention(a: ServerRow, b: ServerRow): number {
  const order = serverStates.indexOf(a.state) - serverStates.indexOf(b.state)
  return order || (a.name < b.name ? -1 : 1)
}

function fromInfo(info: ServerInfo, shell: McpShell, file?: FileServer): ServerRow {
  const { name, transport, server_id, tool_count, status_message, status_fault } = info
  const state = stateOf(info)
  const isBad = attention.has(state)
  return {
    ...{ name, state, transport, tool_count, server_id },
    scope: file ? 'file' : info.user_id === null ? 'shared' : 'own',
    source: file?.source.path,
    problem: isBad ? status_message : undefined,
    advice: isBad ? adviceFor(status_fault, name, shell) : undefined,
  }
}

function stateOf({ disabled, status, status_fault }: ServerInfo): ServerState {
  if (disabled) return 'off'
  if (status === 'running') return 'connected'
  if (status_fault === 'connecting') return 'connecting'
  if (status_fault === 'sign_in') return 'sign_in'
  if (status_fault === 'needs_credentials' || status_fault === 'credentials') return 'credentials'
  return status === 'error' ? 'failed' : 'idle'
}

function adviceFor(fault: ServerFault | undefined, name: string, { called }: McpShell): Text {
  const told = advice[fault ?? 'other'] ?? advice.other
  return told(called, toArgument(name))
}

function fromFile(server: FileServer, { called }: McpShell): ServerRow {
  const { name, source } = server
  const row = {
    ...{ name, source: source.path, scope: 'file' as const },
    ...{ tool_count: undefined, server_id: undefined, problem: undefined, advice: undefined },
  }
  if (server.status === 'disabled') return { ...row, state: 'off', transport: server.transport }
  if (server.status === 'invalid') {
    const { problem } = server
    return { ...row, state: 'invalid', transport: undefined, problem, advice: advice.edit(called) }
  }
  if (server.status === 'untrusted') {
    const { transport, verdict } = server
    if (verdict) return { ...row, state: 'refused', transport }
    return { ...row, state: 'untrusted', transport, advice: advice.agree(called, toArgument(name)) }
  }
  const { transport } = server.config
  return { ...row, state: 'idle', transport, advice: advice.reload(called) }
}

/** As it is typed after a command. */
function toArgument(name: string): string {
  return /\s/.test(name) ? `"${name}"` : name
}
