import type { Clock, Egress, EgressPolicy } from '@dataagent/guard'
import type { Secret } from '@dataagent/schema'
import type { AnswerLimits } from './answer/answer-stream.ts'

/** How a provider's API is reached. */
export interface ProviderOptions {
  egress: Egress
  /** Of the API, with its version where that is a part of it. */
  baseUrl: string
  /** None for a server of one's own that wants none. */
  apiKey?: Secret | undefined
  /** As the provider calls it. */
  model: string
  /** Default 128,000 tokens. */
  contextWindow?: number | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** Fields of every request's body, over our own. */
  extra?: Readonly<Record<string, unknown>> | undefined
  /** Where requests may go; default: that of the egress. */
  policy?: EgressPolicy | undefined
  limits?: Partial<AnswerLimits> | undefined
  clock?: Clock | undefined
}
