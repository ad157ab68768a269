import { resolve } from 'node:path'
import type { WorkspaceOwner } from '@dataagent/core'
import type { FileServers, Hub } from '@dataagent/hub'
import type { ServerConfigInput } from '@dataagent/schema'
import { operator } from '../identity/index.ts'
import type { PlatformOfTerminal } from '../platform/index.ts'

/** The terminal whose platform this is. */
export interface Terminal {
  /** Where it was opened: the operator's files. */
  folder: string
}

/** Who sits at a terminal: the same as whoever runs a server on this machine. */
const user = { ...operator, role: 'admin' } as const

export function isAtTerminal({ tenant_id, user_id }: WorkspaceOwner) {
  return tenant_id === user.tenant_id && user_id === user.user_id
}

/** What the files of the terminal's user name acts at once; programs start in the folder. */
export function createTerminal(
  { folder }: Terminal,
  { fileServers, hub }: { fileServers: FileServers; hub: Hub },
): PlatformOfTerminal {
  return {
    user,
    async setServers(servers) {
      const configs = servers.map((server) => startingIn(folder, server))
      await fileServers.set(user, configs)
      await hub.servers.reload(user.tenant_id)
    },
  }
}

function startingIn(folder: string, server: ServerConfigInput): ServerConfigInput {
  if (!('command' in server)) return server
  const { cwd } = server as { cwd?: unknown }
  if (cwd !== undefined && typeof cwd !== 'string') return server
  return { ...server, cwd: resolve(folder, cwd ?? '.') } as ServerConfigInput
}
