import {
  type AllowListRequest,
  allowListSchema,
  type BindingParams,
  type LimitCreate,
  limitListSchema,
  limitSchema,
  type RuleCreate,
  ruleListSchema,
  ruleSchema,
} from '@dataagent/schema'
import { type CallOptions, toPath, type Verbs } from '../http/index.ts'

export function createPolicyApi({ get, create, put, tell }: Verbs) {
  const binding = ({ kind, subject_id }: BindingParams) =>
    toPath`/policy/bindings/${kind}/${subject_id}`

  return {
    binding: (subject: BindingParams, options?: CallOptions) =>
      get(binding(subject), { answer: allowListSchema, ...options }),
    bind: (subject: BindingParams, entries: AllowListRequest['entries'], options?: CallOptions) =>
      put(binding(subject), { body: { entries }, answer: allowListSchema, ...options }),
    /** The subject inherits again. */
    unbind: (subject: BindingParams, options?: CallOptions) =>
      tell('DELETE', binding(subject), options),
    rules: (options?: CallOptions) => get('/policy/rules', { answer: ruleListSchema, ...options }),
    addRule: (body: RuleCreate, options?: CallOptions) =>
      create('/policy/rules', { body, answer: ruleSchema, ...options }),
    deleteRule: (rule_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/policy/rules/${rule_id}`, options),
    limits: (options?: CallOptions) =>
      get('/policy/limits', { answer: limitListSchema, ...options }),
    addLimit: (body: LimitCreate, options?: CallOptions) =>
      create('/policy/limits', { body, answer: limitSchema, ...options }),
    deleteLimit: (limit_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/policy/limits/${limit_id}`, options),
  }
}
