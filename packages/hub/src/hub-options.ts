import type { Clock, Egress, Masker, SandboxOptions } from '@dataagent/guard'
import type { ServerQuestions } from '@dataagent/mcp'
import type { ApprovalsOptions } from './approvals/index.ts'
import type { CallSettings, QuestionLimits } from './call/index.ts'
import type { OwnTool } from './define-tool/index.ts'
import type { HubStore } from './hub-store.ts'
import type { Kv } from './kv-port.ts'
import type { AllowEntry, PolicyQuotas, TenantFeatures } from './policy/index.ts'
import type { RegisteredServer, ServerGate, ServersOptions } from './servers/index.ts'
import type { OAuthOptions } from './sign-ins/index.ts'
import type { Tracer } from './tracing/index.ts'
import type { ReconnectWaits, UpstreamLimits, UpstreamsOptions } from './upstreams/index.ts'
import type { Vault } from './vault-port.ts'

export interface HubOptions {
  store: HubStore
  kv: Kv
  vault: Vault
  /** What a tenant has switched on. */
  features: TenantFeatures
  /** The way out to a server: an administrator's may be anywhere, a user's must be public. */
  egressFor(server: RegisteredServer): Egress
  /** A folder of this machine for what is not in the database yet. */
  journalDir: string
  /** 32 bytes of the installation, the same in all its processes, and not in its database. */
  key: Uint8Array
  /** Tools of our own. */
  tools?: readonly OwnTool[] | undefined
  /** Who may register what. Default: users only what administrators made templates of. */
  gate?: ServerGate | undefined
  /** How many servers there may be. Default: 5 a user. */
  quotaOf?: ServersOptions['quotaOf']
  sandboxFor?: ((server: RegisteredServer) => SandboxOptions | undefined) | undefined
  /** That of your logs: it is told the credentials of servers as long as they are in use. */
  masker?: Masker | undefined
  /** Default: no spans. */
  tracer?: Tracer | undefined
  /** Answers what servers ask back during calls that bring no answers of their own. */
  questions?: ServerQuestions | undefined
  /**
   * Offers servers to ask for a person's input, a model's answer and folders, for the sake of calls
   * that bring `questions` along. For other calls a form is dismissed and a model's answer refused.
   */
  passesQuestions?: boolean | undefined
  /** Lets people sign in at servers that want OAuth. Without it those servers stay in error. */
  oauth?: OAuthOptions | undefined
  /** Goes before `oauth`: for credentials that no person gives. */
  authorizerFor?: UpstreamsOptions['authorizerFor']
  /** Transports in place of what configurations say: for servers inside this process. */
  createTransport?: UpstreamsOptions['createTransport']
  /** Called when another process has changed a tenant, or any. */
  reloadTenants?: ((tenant_id: string | undefined) => Promise<void>) | undefined
  /** Called when another process has changed agents or model providers of a tenant, or of any. */
  reloadAgents?: ((tenant_id: string | undefined) => Promise<void>) | undefined
  /** Called when another process has changed tool groups of a tenant, or of any. */
  reloadGroups?: ((tenant_id: string | undefined) => Promise<void>) | undefined
  /** Who may decide, beside what holds for all; and who there is to hand an approval over to. */
  approvals?: Pick<ApprovalsOptions, 'mayDecide' | 'hasUser'> | undefined
  settings?: HubSettings | undefined
  clock?: Clock | undefined
  /** Must not throw. */
  onLog?: ((entry: HubLogEntry) => void) | undefined
}

export interface HubSettings extends CallSettings {
  /** What a tenant without an allow-list of its own may use. Default: nothing. */
  defaultAllow?: readonly AllowEntry[] | undefined
  /** How much of a policy one tenant may keep. */
  policy?: Partial<PolicyQuotas> | undefined
  upstreams?: Partial<UpstreamLimits> | undefined
  /**
   * How long a server that was lost is waited for; one that refused its credential four times as
   * long at first. Default 250 ms, doubling up to 60 s.
   */
  reconnect?: ReconnectWaits | undefined
  /** Calls that run at once in this process. Default 1,000. */
  runningCalls?: number | undefined
  /** Calls of one tenant that run at once in this process. Default: a quarter of those. */
  runningCallsPerTenant?: number | undefined
  /** Calls of one tenant that may wait for their turn. Default 1,000. */
  waitingCalls?: number | undefined
  /** Questions of servers that may be open in this process. Default 200 a tenant, 50 a server. */
  questions?: Partial<QuestionLimits> | undefined
  /** How long a person has to decide. Default 5 minutes. */
  approvalMs?: number | undefined
  /**
   * For how many days calls, tools that are gone and versions of removed servers are kept. Default
   * 90; 0 is for ever.
   */
  retentionDays?: number | undefined
}

export interface HubLogEntry {
  level: 'info' | 'warn' | 'error'
  message: string
  server_id?: string
  tenant_id?: string
  /** Whose connection it is about; null is one that is shared. */
  user_id?: string | null
  tool_name?: string
  call_id?: string
  /** For the log alone: never sent to a caller. */
  error?: unknown
}
