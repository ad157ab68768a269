import type { Client } from '@dataagent/client'
import type { ServerConfigInput } from '@dataagent/schema'
import type { Lang } from '../words/index.ts'

/**
 * The platform that the terminal works with. Disposing it ends a local one with all its servers.
 */
export interface Link extends AsyncDisposable {
  /** `local`: a platform of this process's own, on this machine's storage. */
  kind: 'local' | 'remote'
  url: string
  client: Client
  /** Who the credential says we are. */
  user_id: string
  version: string
  /** Resolves with the reason when a local platform has ended by itself; never rejects. */
  lost: Promise<string>
  /**
   * Of a local one: these MCP servers, and no others of configuration files, belong to its user
   * from now on, also in sessions under way. Resolves when they are there, connected or not.
   */
  setServers: ((servers: readonly ServerConfigInput[]) => Promise<void>) | undefined
}

export interface LocalOptions {
  /** The folder that the agent's files are in. */
  folder: string
  /** Default: the storage root. */
  dataDir?: string | undefined
  /** Of this process, secrets included: model keys and settings. */
  env: Readonly<Record<string, string | undefined>>
  /** Where the platform logs. */
  logFile: string
  /** Of what goes wrong. Default: what the environment says. */
  lang?: Lang | undefined
  /** Ends the opening; a link that is open stays. */
  signal?: AbortSignal | undefined
}

export interface RemoteOptions {
  url: string
  apiKey: string | undefined
  /** Of what goes wrong. Default: English. */
  lang?: Lang | undefined
  /** Ends the opening; a link that is open stays. */
  signal?: AbortSignal | undefined
}
