import type { ToolCallStatus } from '@dataagent/schema'

/** What is counted, for Prometheus. No label holds what a caller made up. */
export interface HubMetrics {
  callEnded(call: { server_id: string | null; status: ToolCallStatus; seconds: number }): void
  /** Told when what waited for a person goes on: `outcome` is one of a few words. */
  approvalDecided(approval: { outcome: ApprovalOutcome; seconds: number }): void
  /** Names what is asked when someone looks. A later source of the same name takes its place. */
  watch(sources: Partial<MetricSources>): void
  /** Text in the exposition format. */
  text(): Promise<string>
  readonly contentType: string
}

/** `expiry`: nobody answered in time. `withdrawal`: what asked was over before. */
export type ApprovalOutcome = 'approve' | 'reject' | 'expiry' | 'withdrawal'

/** Each is asked at every look; one that throws is left out of that look. */
export interface MetricSources {
  /** Records of the audit that are not stored yet. */
  auditWaiting: () => number
  /** Spans that were given up. */
  spansDropped: () => number
  /** How many upstreams are in each state. */
  upstreams: () => Readonly<Record<string, number>>
  approvalsPending: () => number | Promise<number>
  /** Decisions of the limiter that were made without the KV. */
  limiterFallbacks: () => number
}
