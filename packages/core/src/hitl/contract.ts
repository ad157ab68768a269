import type { ActionRequest, Decision } from '@dataagent/schema'

/**
 * Asks a person [D3]. Called once for each approval that a run waits for, at the same time for
 * several. What it rejects with, or an answer that is no decision, is told to the operator and
 * counts as a rejection; one that leaves the approval to others does not answer. The signal aborts
 * when the approval was decided elsewhere, has expired or the run has ended.
 */
export interface HITLHandler {
  requestApproval(
    actionRequest: ActionRequest,
    sessionId: string,
    asked?: { approval_id: string; signal: AbortSignal },
  ): Promise<Decision>
}

/**
 * Who approves. `handler`: that function. `inbox`: whoever may decide, by `hub.approvals`.
 * `everything`: approved without asking, as the library does where nothing is configured, and the
 * audit names `setting`; with `harmful` another policy decides on what is destructive or comes
 * after output that nobody vouches for, and on all once `holds`, asked at each call, says no.
 * `nothing`: what needs approval is refused, as the server does.
 */
export type ApprovalPolicy =
  | AskingPolicy
  | {
      kind: 'everything'
      setting: string
      harmful?: AskingPolicy | undefined
      holds?(): boolean
    }

export type AskingPolicy =
  | { kind: 'handler'; handler: HITLHandler; timeoutMs?: number | undefined }
  | { kind: 'inbox'; timeoutMs?: number | undefined }
  | { kind: 'nothing' }

/** What a rejection does: `end` the run [D3.4], or `tell` the model and go on. */
export type RejectRule = 'end' | 'tell'
