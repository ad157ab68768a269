import type { Approval, ApprovalScope, Decision, ToolAnnotations } from '@dataagent/schema'
import type { NewChange } from '../changes/index.ts'
import type { Principal } from '../principal.ts'
import type { ToolRef } from '../tool-ref.ts'

/**
 * As stored. `status` goes pending → decided → used, each step once, by compare-and-set; a use that
 * came to nothing is followed by another, which names it.
 */
export interface ApprovalRow {
  approval_id: string
  tenant_id: string
  status: 'pending' | 'decided' | 'used'
  /** Who may use the decision: see `toCallerKey`. */
  caller: string
  user_id: string | null
  agent_id: string | null
  session_id: string | null
  run_id: string | null
  /** To whom it was handed over, beside the asking user and the tenant's administrators. */
  assignee: string | null
  tool_call_id: string
  server_id: string
  tool_name: string
  definition_hash: string
  /** Of caller, tool, definition and exact arguments: see `toDigest`. */
  digest: string
  /** JSON, secrets masked: what the approver sees. */
  action_request: string
  reason: string
  decision: Decision['type'] | null
  message: string | null
  via: 'person' | 'expiry' | 'withdrawal' | null
  decided_by: string | null
  decided_at: number | null
  /** JSON of what was decided beside yes or no: other arguments, how far it reaches. */
  decision_details: string | null
  used_at: number | null
  /** How often it was asked: once, and once more for each time that it was asked again. */
  asked: number
  created_at: number
  expires_at: number
}

export type DecidedFields = Pick<
  ApprovalRow,
  'decision' | 'message' | 'via' | 'decided_by' | 'decided_at' | 'decision_details'
>

/** What is new in a round that begins when an approval is asked again. */
export type RoundFields = Pick<ApprovalRow, 'expires_at'> &
  Partial<Pick<ApprovalRow, 'tool_call_id' | 'session_id' | 'run_id' | 'reason' | 'action_request'>>

export type ApprovalRef = Pick<ApprovalRow, 'tenant_id' | 'approval_id'>

/**
 * Each change is one statement that holds its own condition: of any number, one takes place. Its
 * note is stored with it, or neither.
 */
export interface ApprovalRows {
  /** Throws `conflict` where the id is taken, by any tenant. */
  insert(row: ApprovalRow): Promise<void>
  get(tenant_id: string, approval_id: string): Promise<ApprovalRow | undefined>
  /** Those of the ids that there are, of all tenants, in no order. */
  getMany(approval_ids: readonly string[]): Promise<ApprovalRow[]>
  /** The newest of this caller for the same digest. */
  findByDigest(tenant_id: string, caller: string, digest: string): Promise<ApprovalRow | undefined>
  /** Newest first. */
  list(query: ApprovalQuery): Promise<ApprovalRow[]>
  /**
   * True for the one caller that took it from pending to decided. Expiry decides what has expired
   * at `decided_at`, everything else what has not.
   */
  decide(ref: ApprovalRef, decided: DecidedFields, note?: NewChange): Promise<boolean>
  /** True for the one caller that took it from decided, or from this earlier use, to used. */
  use(ref: ApprovalRef, use: UseFields): Promise<boolean>
  /** From expired or withdrawn back to pending, counted. */
  reask(ref: ApprovalRef, round: RoundFields, note?: NewChange): Promise<boolean>
  /** While it is pending and has not expired at `now`. */
  assign(ref: ApprovalRef, to: AssignFields, note?: NewChange): Promise<boolean>
  /** How many wait for a person, of all tenants. */
  countPending(now: number): Promise<number>
  /** Decides at most `limit` that have expired, as rejections by expiry; gives them. */
  expire(now: number, limit: number): Promise<ApprovalRow[]>
}

/** Only an approval of this digest that was given after `decided_after` can be used. */
export interface UseFields {
  used_at: number
  digest: string
  decided_after: number
  /** The `used_at` of the use that came to nothing, which this one follows and is later than. */
  earlier_use?: number | null | undefined
}

export interface AssignFields {
  assignee: string
  now: number
}

export interface ApprovalQuery {
  tenant_id: string
  status?: ApprovalRow['status'] | undefined
  /** Those that this user asked for or was given. */
  user_id?: string | undefined
  /** Those that this caller asked for. */
  caller?: string | undefined
  limit: number
  offset: number
}

export interface InboxQuery extends Omit<ApprovalQuery, 'tenant_id' | 'user_id'> {
  mine?: boolean | undefined
}

/** A call as a decision is bound to it. */
export interface BoundCall {
  principal: Principal
  tool: ToolRef
  definition_hash: string
  args: Record<string, unknown>
  /**
   * Set where a decision holds for this very call and no equal one: an agent's, which waits for it.
   * One who comes back with the same call later sets none.
   */
  once_for?: string | undefined
}

/** A call that is about to be executed by a decision. */
export interface UsingCall extends BoundCall {
  /** The `used_at` of the row, where `request` gave it as decided once more. */
  earlier_use?: number | null | undefined
}

/** The call that leave is asked for. */
export interface ApprovalAsk extends BoundCall {
  call_id: string
  /**
   * The approval that the process asked for which died before it could start this very call. Where
   * that has used it the decision holds once more. For a call with `once_for` alone.
   */
  resumed?: string | undefined
  session_id?: string | undefined
  run_id?: string | undefined
  /** Why it is asked, in words. */
  reason: string
  /** What the tool does, in its server's words, neutralised. */
  description: string
  /** What its server claims of what it does. */
  annotations?: ToolAnnotations | undefined
  /** Undefined where a yes may reach as far as its giver says. */
  reach?: Reach | undefined
  timeoutMs?: number | undefined
}

/** The scopes that a yes to a call can have, and why no others. */
export interface Reach {
  scopes: readonly ApprovalScope[]
  why: string
}

/**
 * Asks people, durably. A decision holds for exactly one execution of exactly these arguments on
 * exactly this definition. It works whichever process receives it, and outlives all of them.
 */
export interface Approvals extends AsyncDisposable {
  /**
   * The approval for this call: the one of an earlier, equal call that is pending, or decided and
   * unused for less than 10 minutes; else it is asked. One that expired or was withdrawn in the
   * last 10 minutes is asked again under its own id. The one that is `resumed` is given as decided
   * also where it was used; with `used_at`, which is then the `earlier_use`.
   */
  request(ask: ApprovalAsk): Promise<PendingOrDecided>
  /** What was decided of the call that is `resumed`, as `request` gives it; asks nobody. */
  decidedOf(ask: ApprovalAsk): Promise<ApprovalRow | undefined>
  /**
   * Resolves when it is decided or expires; rejects with the signal's reason, `not_found`, or
   * `unavailable` when this process ends. The approval stays as it is. While the database is away
   * it goes on waiting. Two equal calls may wait for one approval: one of them uses it.
   */
  wait(tenant_id: string, approval_id: string, signal?: AbortSignal): Promise<ApprovalRow>
  /**
   * True once, for the very call that was approved less than 10 minutes ago: the decision is then
   * spent. `call` is what is about to be executed, with the definition as it is now. For each
   * earlier use that it names, true once more.
   */
  use(tenant_id: string, approval_id: string, call: UsingCall): Promise<boolean>
  /**
   * The arguments that the approver gave in place of those asked for, which are `asked`; undefined
   * where these were approved as they are.
   */
  givenArgs(
    row: ApprovalRow,
    asked: Record<string, unknown>,
  ): Promise<Record<string, unknown> | undefined>
  /**
   * Throws `not_found`, also for one who may not see it, `forbidden` for one who may see and not
   * decide or may not give so much, be it a scope or arguments, `invalid_request` for a scope that
   * such a call has not, `invalid_arguments` for arguments that do not fit, and `conflict` with the
   * decision in its data where it was decided already.
   */
  decide(by: Principal, approval_id: string, decision: Decision): Promise<Approval>
  /**
   * Ends what nobody needs any more: a run that was cancelled. An equal call of another run that
   * waited for it asks again.
   */
  withdraw(tenant_id: string, approval_id: string): Promise<void>
  /** To another person of the tenant, who then sees and decides it. */
  handOver(by: Principal, approval_id: string, user_id: string): Promise<Approval>
  /**
   * One that has expired or was withdrawn is pending again, for a new period. One that is pending
   * is given as it is; `conflict` for what was decided, was asked again under another id, or was
   * asked by a run: nobody comes back for its answer.
   */
  reask(by: Principal, approval_id: string): Promise<Approval>
  get(by: Principal, approval_id: string): Promise<Approval>
  /** All that `by` may see; `mine` leaves out what only an administrator sees. */
  list(by: Principal, query: InboxQuery): Promise<Approval[]>
  /**
   * Told of each approval, as it is now, that is asked, decided or handed over in any process; of
   * other processes only once started. May miss some while the KV is away: an inbox lists again.
   */
  onChange(handler: (approval: Approval) => void): () => void
  /** Follows what other processes decide, and lets approvals expire. */
  start(): void
  close(): Promise<void>
}

export interface PendingOrDecided {
  status: 'pending' | 'decided'
  row: ApprovalRow
}
