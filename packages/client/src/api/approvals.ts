import {
  type ApprovalsQuery,
  approvalSchema,
  approvalsPageSchema,
  type DecisionRequestInput,
} from '@dataagent/schema'
import { type CallOptions, type QueryOf, toPath, type Verbs } from '../http/index.ts'

const answer = approvalSchema

export function createApprovalsApi({ get, post }: Verbs) {
  return {
    list: (query: QueryOf<ApprovalsQuery> = {}, options?: CallOptions) =>
      get('/approvals', { query, answer: approvalsPageSchema, ...options }),
    get: (approval_id: string, options?: CallOptions) =>
      get(toPath`/approvals/${approval_id}`, { answer, ...options }),
    decide: (approval_id: string, body: DecisionRequestInput, options?: CallOptions) =>
      post(toPath`/approvals/${approval_id}/decide`, { body, answer, ...options }),
    reask: (approval_id: string, options?: CallOptions) =>
      post(toPath`/approvals/${approval_id}/reask`, { answer, ...options }),
    handOver: (approval_id: string, user_id: string, options?: CallOptions) =>
      post(toPath`/approvals/${approval_id}/hand-over`, { body: { user_id }, answer, ...options }),
  }
}
