import { type ActionRequest, readJson, type ToolAnnotations } from '@dataagent/schema'
import type { ApprovalRow, Reach } from './contract.ts'

/** What an approver is shown, as `action_request` holds it. */
export interface ShownAction extends ActionRequest {
  /** Whether it only reads or may destroy, as far as its server claims either. */
  annotations?: Pick<ToolAnnotations, 'readOnlyHint' | 'destructiveHint'>
  /** Set where a yes cannot reach as far as one likes. */
  reach?: Reach
  /** Set where more of the arguments than single secret values is not shown. */
  not_shown?: NotShown
}

/** How many characters of the arguments the approver does not see. */
export interface NotShown {
  /** Of secrets, or of what cannot be told from one. */
  masked: number
  /** Of texts that are too long. */
  cut: number
}

export function readShown({ action_request }: Pick<ApprovalRow, 'action_request'>): ShownAction {
  return readJson(action_request) as ShownAction
}
