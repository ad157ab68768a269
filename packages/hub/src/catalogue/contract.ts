import type { ToolDefinition } from '@dataagent/schema'
import type { NewChange } from '../changes/index.ts'
import type { OwnTool } from '../define-tool/index.ts'
import type { Finding } from '../poisoning/index.ts'
import type { Principal } from '../principal.ts'
import type { ToolRef } from '../tool-ref.ts'
import type { CarriedFields } from './carried.ts'

/**
 * `active` is in use. `quarantined` waits for its first approval, `pending` for that of a change.
 * `rejected` was refused by an administrator, or has a schema that cannot be used. `gone` is no
 * longer offered by its server.
 */
export const toolStates = ['active', 'quarantined', 'pending', 'rejected', 'gone'] as const
export type ToolState = (typeof toolStates)[number]

/** A tool as everyone but its server sees it: neutralised, hashed, versioned. Never changed. */
export interface CatalogueTool extends ToolRef {
  tenant_id: string
  state: ToolState
  /** Counts the definitions that this tool has had. */
  version: number
  /** SHA-256 over the canonical JSON of the definition as the server gave it. */
  hash: string
  /** With hidden characters taken out and texts cut: what a listing and a prompt may hold. */
  definition: ToolDefinition & CarriedFields
  findings: readonly Finding[]
  /**
   * The version that waits for approval or was refused: above `version` for a change, `version`
   * itself for a tool that nobody has approved yet.
   */
  pending_version?: number
  /** Its place in the server's own order. */
  position: number
  created_at: number
  seen_at: number
}

/**
 * Whether a tool can be called now. `connected` rises and falls with the server: a tool that the
 * table holds from an earlier run is known, and not offered before this run's handshake.
 */
export type Offer =
  | { status: 'offered' }
  | { status: 'withheld'; why: ToolState | 'filtered' | 'server_disabled' }
  | { status: 'unavailable'; message: string }

export interface CatalogueEntry {
  tool: CatalogueTool
  /** Set for a tool of our own, which is run here. */
  own?: OwnTool
  /** Set for one of a toolset. */
  isBrought?: boolean
  offer: Offer
  /**
   * `server.tool`, by the server's alias or name, with a mark where another server that the same
   * caller sees is called so; for a tool of our own its name alone. For people and the wire name.
   */
  sdk_name: string
  /** `^[a-zA-Z0-9_-]{1,64}$` */
  wire_name: string
}

export interface ToolRow {
  tenant_id: string
  server_id: string
  name: string
  state: ToolState
  version: number
  hash: string
  definition: string
  findings: string
  pending_version: number | null
  position: number
  created_at: number
  seen_at: number
}

export interface ToolVersionRow {
  tenant_id: string
  server_id: string
  name: string
  version: number
  hash: string
  /** As the server gave it: never to be shown before hidden characters are made visible. */
  definition: string
  findings: string
  seen_at: number
  approved_at: number | null
  approved_by: string | null
}

/** A tool to store, and what the decision stood on; undefined for one that was not there. */
export interface ToolChange {
  row: ToolRow
  before: Pick<ToolRow, 'state' | 'version' | 'hash' | 'pending_version'> | undefined
}

export type ToolHashRow = Pick<
  ToolVersionRow,
  'tenant_id' | 'server_id' | 'name' | 'version' | 'hash'
>

/**
 * A change takes the next revision of the topic `tools` in the same transaction, which also stores
 * the note of a decision.
 */
export interface ToolRows {
  list(tenant_id?: string, server_id?: string): Promise<ToolRow[]>
  /** The versions without their definitions, to number the next one. */
  listHashes(tenant_id?: string, server_id?: string): Promise<ToolHashRow[]>
  listVersions(ref: ToolRef & { tenant_id: string }): Promise<ToolVersionRow[]>
  /**
   * Puts tools and new versions of one server in one transaction. Two processes that see the same
   * new definition at once make one version of it: `conflict` for a version that is there with
   * another hash, and for a tool that is stored neither as `before` nor already as `row`. Of a
   * tool's versions that nobody approved the newest `keep` stay, of those that were in use as of
   * those that never were, and the two that its row names. What is to `drop` goes with all its
   * versions.
   */
  put(
    tools: readonly ToolChange[],
    versions: readonly ToolVersionRow[],
    options?: { keep?: number; drop?: readonly ToolChange[]; note?: NewChange },
  ): Promise<number>
  /** Stores the tool and notes who approved its version. `conflict` as in `put`. */
  approve(
    tool: ToolChange,
    approved: Pick<ToolVersionRow, 'approved_at' | 'approved_by'>,
    note?: NewChange,
  ): Promise<number>
}

/** One field of a definition that differs: `description`, `inputSchema.properties.path.type`. */
export interface DefinitionChange {
  path: string
  before: unknown
  after: unknown
}

export interface PendingTool {
  tool: CatalogueTool
  pending: { version: number; hash: string; definition: ToolDefinition; seen_at: number }
  findings: readonly Finding[]
  diff: DefinitionChange[]
}

/** Every tool of every server, in memory and in `mcp_tools`. Reads are at once. */
export interface Catalogue {
  /** Rises with every change of a tool, its state or its offer. */
  readonly revision: number
  get(tenant_id: string, ref: ToolRef): CatalogueEntry | undefined
  /** In the server's order. */
  ofServer(tenant_id: string, server_id: string): readonly CatalogueEntry[]
  /**
   * Tools that a name may mean within a tenant (the platform's included): the tool's own name,
   * `server.tool`, `alias.tool`, `mcp.server.tool`, its wire name, or `server_id/tool`. The cost
   * does not grow with the number of tools.
   */
  named(tenant_id: string, name: string): readonly CatalogueEntry[]
  all(tenant_id: string): Iterable<CatalogueEntry>
  /**
   * What a server offers after a handshake, a refresh or `list_changed`; undefined while it cannot
   * be reached, with the reason. Resolves when it is stored; memory is current at once where a tool
   * is withdrawn, and after the store where one is added. Rejects where it could not be stored:
   * what is approved goes on, new and changed tools wait, and the caller gives the list again.
   * What is more than a server may have is left out.
   */
  observe(server: { tenant_id: string; server_id: string }, seen: Observed): Promise<void>
  /**
   * Tools of our own, for every tenant, under `ownServerId` of the platform's tenant; in memory
   * alone. Throws `conflict` for a name that is taken.
   */
  addOwn(tools: readonly OwnTool[]): void
  /** Changes that wait for an administrator. */
  pending(tenant_id: string): Promise<PendingTool[]>
  /** In order; also those of a server that has been removed. */
  versions(tenant_id: string, ref: ToolRef): Promise<ToolVersionRow[]>
  /**
   * Takes over the version that waits; `hash` is that of the one the administrator has seen, else
   * `conflict`. `forbidden` for who may not decide, `not_found` for what they may not see. Where
   * this process has seen the server offer another one since, it stays withheld here.
   */
  approve(principal: Principal, ref: ToolRef, hash: string): Promise<CatalogueTool>
  /** Keeps the version that waits withheld, or takes the one in use out of it. Throws as above. */
  reject(principal: Principal, ref: ToolRef, hash: string): Promise<CatalogueTool>
  reload(tenant_id?: string): Promise<void>
  /** `handler` must not throw. */
  onChange(handler: (change: CatalogueChange) => void): () => void
}

export type Observed =
  /** Gone through once, with pauses; again where it is given again. */
  | { status: 'offers'; tools: Iterable<unknown> }
  | { status: 'unreachable'; message: string }
  | { status: 'disabled' }

export interface CatalogueChange {
  tenant_id: string
  server_id: string
  /** Names of tools that came, went or changed. */
  tools: readonly string[]
  /** A definition changed and is held back, flagged or taken over. */
  drift?: readonly { name: string; policy: 'pin' | 'warn' | 'follow'; diff: DefinitionChange[] }[]
}
