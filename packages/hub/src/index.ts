export type {
  ApprovalAsk,
  ApprovalQuery,
  ApprovalRef,
  ApprovalRow,
  ApprovalRows,
  Approvals,
  AssignFields,
  DecidedFields,
  RoundFields,
  UseFields,
} from './approvals/index.ts'
export type {
  AnchorRow,
  Audit,
  CallLogFilters,
  CallLogQuery,
  CallLogRow,
  CallLogRows,
  CallQuery,
  CallRecord,
  ChainReport,
} from './audit/index.ts'
export type { CallSettings, CallTool, ToolCall } from './call/index.ts'
export type { Approver, CallContext, CallSource, RunState, StartRecord } from './call-context.ts'
export { toCanonicalJson } from './canonical-json.ts'
export type {
  Catalogue,
  CatalogueChange,
  CatalogueEntry,
  CatalogueTool,
  DefinitionChange,
  Offer,
  PendingTool,
  ToolChange,
  ToolHashRow,
  ToolRow,
  ToolRows,
  ToolState,
  ToolVersionRow,
} from './catalogue/index.ts'
export { createToolset, type Toolset } from './catalogue/index.ts'
export type {
  ChangeAction,
  ChangeKind,
  ChangeLogQuery,
  ChangeQuery,
  ChangeRow,
  ChangeRows,
  NewChange,
  Note,
} from './changes/index.ts'
export { createNote } from './changes/index.ts'
export {
  defineTool,
  type OwnApproval,
  type OwnTool,
  type OwnToolContext,
  ownServerId,
  type ToolSpec,
} from './define-tool/index.ts'
export type { CallExplanation, Explain, ExplainCall } from './explain.ts'
export type {
  FeatureAsk,
  FeatureNotice,
  FeatureOutcome,
  FeatureServer,
  Features,
} from './features/index.ts'
export { createHub, type Hub } from './hub.ts'
export type { HubLogEntry, HubOptions, HubSettings } from './hub-options.ts'
export type { HubStore } from './hub-store.ts'
export type { Kv, Lease } from './kv-port.ts'
export type { HubMetrics, MetricSources } from './metrics/index.ts'
export type {
  CalledTool,
  RefusedStatus,
  ResultHandle,
  ToolFault,
  ToolOutcome,
  ToolResult,
} from './outcome.ts'
export {
  type PasteEntry,
  type PasteForm,
  type PasteOptions,
  type PastePreview,
  type PasteSecret,
  parsePaste,
} from './paste/index.ts'
export type { Finding, FindingKind } from './poisoning/index.ts'
export type {
  AllowEntry,
  AllowList,
  DefaultWhy,
  Effect,
  Explanation,
  JudgedContext,
  Limit,
  NewLimit,
  NewRule,
  Policy,
  PolicyRoom,
  PolicyRows,
  PolicySince,
  Reason,
  Resolved,
  Rule,
  RuleState,
  Step,
  StoredPolicy,
  TenantFeatures,
  Tier,
  Verdict,
} from './policy/index.ts'
export {
  isAdministrator,
  isAuditor,
  isMachine,
  isPlatformAdministrator,
  type Principal,
  type Subject,
  type SubjectKind,
} from './principal.ts'
export {
  createReadResultTool,
  partInWords,
  type ResultPage,
  type ResultRow,
  type ResultRows,
  type Results,
} from './results/index.ts'
export type { RetentionRows } from './retention/index.ts'
export type { RevisionRow, RevisionRows, Revisions, Topic } from './revisions/index.ts'
export {
  type ChangedServerRow,
  type CommandTemplate,
  type CredentialInput,
  type CredentialRow,
  createFileServers,
  createServerGate,
  createTemplateMatcher,
  type Edition,
  type EditionRow,
  type FileOwner,
  type FileServers,
  originOf,
  platformTenant,
  type RegisteredServer,
  type RegisterServer,
  type ServerChange,
  type ServerGate,
  type ServerGateOptions,
  type ServerQuota,
  type ServerRow,
  type ServerRows,
  type ServerScope,
  type ServerState,
  type Servers,
  scopeOf,
  toCommand,
  toServerInfo,
} from './servers/index.ts'
export type { SessionRef, SessionRow, SessionRows, Sessions } from './sessions/index.ts'
export type { OAuthOptions, SignInRef, SignInRow, SignInRows, SignIns } from './sign-ins/index.ts'
export type { ToolRef } from './tool-ref.ts'
export {
  type Attributes,
  createTracer,
  type DroppedSpans,
  noTracer,
  type Span,
  type SpanOptions,
  type Tracer,
  type TracerOptions,
} from './tracing/index.ts'
export {
  type ConnectionTest,
  toUpstreamKey,
  type UpstreamHealth,
  type UpstreamKey,
  type UpstreamLimits,
  type Upstreams,
} from './upstreams/index.ts'
export type { SecretBinding, Vault } from './vault-port.ts'
export type { WhenOffered } from './when-offered.ts'
