import {
  AppError,
  allowListRequestSchema,
  allowListSchema,
  bindingParamsSchema,
  id,
  limitCreateSchema,
  limitListSchema,
  limitSchema,
  ruleCreateSchema,
  ruleListSchema,
  ruleSchema,
} from '@dataagent/schema'
import { z } from 'zod'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'

/** Who may call what, how often, and what must be asked for. */
export function policyRoutes(platform: GetPlatform): Route[] {
  return [...bindingRoutes(platform), ...ruleRoutes(platform), ...limitRoutes(platform)]
}

function bindingRoutes(platform: GetPlatform): Route[] {
  const one = {
    path: '/policy/bindings/:kind/:subject_id',
    tag: 'policy',
    access: 'admin',
    params: bindingParamsSchema,
  } as const
  return [
    defineRoute({
      ...one,
      ...{ method: 'GET', summary: 'The tools that a subject is bound to.' },
      answer: allowListSchema,
      handle({ principal: { tenant_id }, params: { kind, subject_id } }) {
        const list = platform().hub.policy.allowList(tenant_id, { kind, id: subject_id })
        if (list) return list
        throw new AppError('not_found', `${kind} ${subject_id} has no list of its own`)
      },
    }),
    defineRoute({
      ...one,
      ...{ method: 'PUT', summary: 'Binds a subject to these tools and no others.' },
      body: allowListRequestSchema,
      answer: allowListSchema,
      handle: ({ principal, params: { kind, subject_id }, body }) =>
        platform().hub.policy.setAllowList(principal, { kind, id: subject_id }, body.entries),
    }),
    defineRoute({
      ...one,
      ...{ method: 'DELETE', summary: 'Lets a subject have what it inherits again.' },
      handle: ({ principal, params: { kind, subject_id } }) =>
        platform().hub.policy.clearAllowList(principal, { kind, id: subject_id }),
    }),
  ]
}

function ruleRoutes(platform: GetPlatform): Route[] {
  const all = { path: '/policy/rules', tag: 'policy', access: 'user' } as const
  return [
    defineRoute({
      ...all,
      ...{ method: 'GET', summary: 'The rules that the caller may see.' },
      answer: ruleListSchema,
      handle: ({ principal }) => ({ rules: platform().hub.policy.rules(principal) }),
    }),
    defineRoute({
      ...all,
      ...{ method: 'POST', creates: true, status: 201 },
      summary: 'Adds a rule: a user for themselves, an administrator for the tenant.',
      body: ruleCreateSchema,
      answer: ruleSchema,
      handle: ({ principal, body }) => platform().hub.policy.addRule(principal, body),
    }),
    defineRoute({
      ...{ ...all, path: '/policy/rules/:rule_id' },
      ...{ method: 'DELETE', summary: 'Removes a rule.' },
      params: z.strictObject({ rule_id: id }),
      handle: ({ principal, params }) =>
        platform().hub.policy.removeRule(principal, params.rule_id),
    }),
  ]
}

function limitRoutes(platform: GetPlatform): Route[] {
  const all = { path: '/policy/limits', tag: 'policy', access: 'admin' } as const
  return [
    defineRoute({
      ...all,
      ...{ method: 'GET', summary: 'How many calls there may be in which time.' },
      answer: limitListSchema,
      handle: ({ principal }) => ({ limits: platform().hub.policy.limits(principal) }),
    }),
    defineRoute({
      ...all,
      ...{ method: 'POST', creates: true, status: 201, summary: 'Adds a limit of calls.' },
      body: limitCreateSchema,
      answer: limitSchema,
      handle: ({ principal, body }) => platform().hub.policy.addLimit(principal, body),
    }),
    defineRoute({
      ...{ ...all, path: '/policy/limits/:limit_id' },
      ...{ method: 'DELETE', summary: 'Removes a limit.' },
      params: z.strictObject({ limit_id: id }),
      handle: ({ principal, params }) =>
        platform().hub.policy.removeLimit(principal, params.limit_id),
    }),
  ]
}
