import type { ServerConfigInput, Transport } from '@dataagent/schema'
import type { ConfigPlace } from './place.ts'
import type { TrustStore, TrustVerdict } from './trust/trust-store.ts'

/** Where an mcp.json is, and why it is read. */
export interface ConfigSource {
  /**
   * `user`: ~/.deepagents/{assistant_id}/mcp.json. `flag`: --mcp-config. `project`: of the folder.
   */
  kind: 'user' | 'flag' | 'project'
  path: string
}

/** One server of a file, or why it cannot be used. Others are not affected. */
export type FileServer =
  | {
      status: 'ok'
      name: string
      source: ConfigSource
      config: ServerConfigInput
      /** Of a project's server: of the definition that was agreed to. */
      hash?: string
    }
  | { status: 'disabled'; name: string; source: ConfigSource; transport: Transport }
  /** Of a project's file whose command, as shown here, nobody has agreed to on this machine. */
  | UntrustedServer
  | { status: 'invalid'; name: string; source: ConfigSource; problem: string }

export interface UntrustedServer {
  status: 'untrusted'
  name: string
  source: ConfigSource
  transport: Transport
  /** What it would do, in lines for a person to agree to. */
  shown: string
  /** Of the definition that is shown. */
  hash: string
  /** `refused`: a person has said no to it; they are not asked again until it changes. */
  verdict: Extract<TrustVerdict, 'refused'> | undefined
}

/** All servers of all files: a later source's stands for an earlier one's of the same name. */
export interface FileServers {
  servers: readonly FileServer[]
  /** What else a person should know, such as files that could not be read: a line each. */
  problems: readonly string[]
}

/** What the person's own machine has for all agents and folders. */
export interface McpFiles extends Pick<ConfigPlace, 'home' | 'env' | 'flags'> {
  trust: TrustStore
}
