import type { CallContext } from '../call-context.ts'
import type { CatalogueEntry } from '../catalogue/index.ts'
import type { NewChange } from '../changes/index.ts'
import type { Principal, Subject } from '../principal.ts'
import type { ToolRef } from '../tool-ref.ts'

/**
 * The tools that one subject is bound to. An agent, API key or tool group that has a list is held
 * to it; one without a list has what its user has, and a user without one what the tenant has. A
 * list that is empty allows nothing. A tool group always has a list.
 */
export interface AllowList {
  tenant_id: string
  subject: Subject
  entries: readonly AllowEntry[]
  revision: number
  updated_at: number
  updated_by: string | null
}

export interface AllowEntry {
  /** A server's id, or `*` for every server that the caller may see. */
  server_id: string
  /** A pattern on the server's own tool names. */
  tool: string
}

export type Tier = 'platform' | 'tenant' | 'user'
export type Effect = 'allow' | 'ask' | 'deny'

/**
 * A deny of any tier wins. Else the highest tier with a rule that fits decides, platform over
 * tenant over user, and within it ask over allow.
 */
export interface Rule {
  tenant_id: string
  rule_id: string
  tier: Tier
  subject: Subject
  server_id: string
  tool: string
  effect: Effect
  /**
   * Servers (`*` is all) whose output may have been read before: an allow that holds after
   * untrusted output.
   */
  trusts: readonly string[]
  /** Holds in this session alone. */
  session_id: string | null
  expires_at: number | null
  note: string
  revision: number
  created_at: number
  created_by: string | null
}

export interface Limit {
  tenant_id: string
  limit_id: string
  subject: Subject
  server_id: string
  tool: string
  max_calls: number
  window_ms: number
  revision: number
  created_at: number
  created_by: string | null
}

/** What the store holds of one tenant, or of all. */
export interface StoredPolicy {
  /**
   * Of the topic `policy`, read before the rows: they may be newer, never older. A tenant whose
   * policy was never changed has none.
   */
  revisions: { tenant_id: string; revision: number }[]
  allowLists: AllowList[]
  rules: Rule[]
  limits: Limit[]
}

/** What has been put into one tenant's policy since a revision, and what there is of it now. */
export interface PolicySince extends Omit<StoredPolicy, 'revisions'> {
  /** As in `StoredPolicy`: read before the rows, and those before the keys. */
  revision: number
  keys: { allowLists: Subject[]; rules: string[]; limits: string[] }
}

/** How many of a tenant and of one subject there may be; of rules those of the same tier count. */
export interface PolicyRoom {
  perTenant?: number | undefined
  perSubject?: number | undefined
}

/**
 * Every change takes the next revision of the topic `policy` in the same transaction, which also
 * stores the note of it, and gives it. What is put replaces what had the same key, or throws
 * `quota_exceeded` where there is no room, counted in the same transaction; deleting what is not
 * there gives undefined.
 */
export interface PolicyRows {
  load(tenant_id?: string): Promise<StoredPolicy>
  loadSince(tenant_id: string, revision: number): Promise<PolicySince>
  putAllowList(
    list: Omit<AllowList, 'revision'>,
    note?: NewChange,
    room?: PolicyRoom,
  ): Promise<number>
  deleteAllowList(
    tenant_id: string,
    subject: Subject,
    note?: NewChange,
  ): Promise<number | undefined>
  putRule(rule: Omit<Rule, 'revision'>, note?: NewChange, room?: PolicyRoom): Promise<number>
  deleteRule(tenant_id: string, rule_id: string, note?: NewChange): Promise<number | undefined>
  putLimit(limit: Omit<Limit, 'revision'>, note?: NewChange, room?: PolicyRoom): Promise<number>
  deleteLimit(tenant_id: string, limit_id: string, note?: NewChange): Promise<number | undefined>
}

/** What a call is judged by beside the tool. */
export type JudgedContext = Pick<CallContext, 'principal' | 'session_id' | 'run' | 'tools'>

/**
 * The verdict on one tool for one caller. `revision` and `by` are what the audit holds and what
 * `explain` puts into words.
 */
export type Verdict =
  | { readonly status: 'allow'; readonly revision: number; readonly by: Reason }
  | {
      readonly status: 'ask'
      readonly revision: number
      readonly by: Reason
      readonly once_per_session: boolean
      /** Set where the tool says of each call whether it asks: the verdict if it does not. */
      readonly unless_asked?: Exclude<Verdict, { status: 'deny' }>
    }
  | { readonly status: 'deny'; readonly revision: number; readonly by: Reason }

export type Reason =
  | { kind: 'not_bound'; subject: Subject }
  | { kind: 'not_visible' }
  /** One who has that role calls nothing. */
  | { kind: 'role'; role: 'auditor' }
  | { kind: 'feature_off'; feature: string }
  /** The run does without the server. */
  | { kind: 'switched_off' }
  | { kind: 'rule'; rule_id: string; tier: Tier; effect: Effect }
  | { kind: 'server_setting'; effect: Effect }
  | { kind: 'default'; why: DefaultWhy }
  | { kind: 'unconfirmed'; since_ms: number }

export type DefaultWhy =
  | 'own_tool'
  | 'own_tool_asks'
  | 'own_tool_by_arguments'
  | 'administrators_server'
  | 'destructive_annotation'
  | 'users_server'
  | 'after_untrusted_output'

/** Verdict and the way to it, for a person: which rules were looked at and which decided. */
export interface Explanation {
  verdict: Verdict
  tool: ToolRef
  /** Each list and rule that was looked at, in order, and whether it decided. */
  steps: { what: Step; text: string; decided: boolean }[]
}

/** What was looked at on the way to a verdict; `text` beside it says it in English. */
export type Step =
  | { kind: 'refused_at_once'; why: 'unconfirmed' | 'role' | 'nobody' }
  | { kind: 'server'; visible: boolean }
  | { kind: 'features_on' }
  | { kind: 'feature_off'; feature: string }
  | { kind: 'brought' }
  | { kind: 'switched_off' }
  /** `of` is whose list it is: another's where it is inherited, null the installation's. */
  | { kind: 'list'; subject: Subject; of: Subject | null; holds: boolean }
  | ({ kind: 'rule'; state: RuleState } & Pick<
      Rule,
      'rule_id' | 'tier' | 'effect' | 'subject' | 'server_id' | 'tool'
    >)
  | { kind: 'server_setting'; effect: Effect }
  | { kind: 'default'; why: DefaultWhy }
  /** Servers whose output the run has read, and those of them that nobody vouches for. */
  | { kind: 'untrusted_output'; read: string[]; doubtful: string[]; outside: boolean }
  | { kind: 'arguments'; asks: boolean }

export type RuleState = 'fits' | 'fits_too' | 'expired' | 'other_session'

/** One function decides what is listed and what may be called. Reads are at once. */
export interface Policy {
  readonly revision: number
  decide(context: JudgedContext, entry: CatalogueEntry): Verdict
  explain(context: JudgedContext, entry: CatalogueEntry): Explanation
  /**
   * Tools that the principal may see: allowed or to be asked for, and offered now. The same array
   * as long as nothing has changed; it is sorted by `sdk_name`.
   */
  list(context: JudgedContext): readonly CatalogueEntry[]
  /**
   * The tool that the caller means, among those it may call. `unknown` says as little of a tool
   * that is not the caller's as of one that does not exist.
   */
  resolve(context: JudgedContext, name: string | ToolRef): Resolved
  /** Limits that count for a call, the caller's own and those of the tenant. */
  limitsFor(principal: Principal, ref: ToolRef): readonly Limit[]

  allowList(tenant_id: string, subject: Subject): AllowList | undefined
  /** All of the tenant. Throws `forbidden` for one who is not an administrator of it. */
  allowLists(by: Principal): readonly AllowList[]
  /** Throws `forbidden` for one who is not an administrator of the tenant. */
  setAllowList(by: Principal, subject: Subject, entries: readonly AllowEntry[]): Promise<AllowList>
  /** The subject inherits again. */
  clearAllowList(by: Principal, subject: Subject): Promise<void>
  /**
   * A user may make rules of the tier `user` for themselves; other tiers are an administrator's.
   */
  addRule(by: Principal, rule: NewRule): Promise<Rule>
  removeRule(by: Principal, rule_id: string): Promise<void>
  rules(by: Principal): readonly Rule[]
  addLimit(by: Principal, limit: NewLimit): Promise<Limit>
  removeLimit(by: Principal, limit_id: string): Promise<void>
  limits(by: Principal): readonly Limit[]
  reload(tenant_id?: string): Promise<void>
  /** `handler` must not throw. */
  onChange(handler: (tenant_id: string) => void): () => void
}

export type NewRule = Pick<Rule, 'tier' | 'subject' | 'server_id' | 'tool' | 'effect'> &
  Partial<Pick<Rule, 'trusts' | 'session_id' | 'expires_at' | 'note'>>

export type NewLimit = Pick<Limit, 'subject' | 'server_id' | 'tool' | 'max_calls' | 'window_ms'>

export type Resolved =
  | { status: 'found'; entry: CatalogueEntry; verdict: Verdict }
  /** The caller may call several of that name: their `sdk_name`s. */
  | { status: 'ambiguous'; names: string[] }
  | { status: 'unknown'; verdict: Verdict; entry?: CatalogueEntry }

/** What the policy must know of a tenant. */
export interface TenantFeatures {
  /** `features_enabled` of the tenant: `*`, `mcp`, `mcp:<server name>`, `-mcp:<server name>`, … */
  featuresOf(tenant_id: string): readonly string[]
}
