import {
  approvalSchema,
  approvalsPageSchema,
  approvalsQuerySchema,
  decisionRequestSchema,
  handOverRequestSchema,
  id,
} from '@dataagent/schema'
import { z } from 'zod'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { openPage } from './open-page.ts'

const params = z.strictObject({ approval_id: id })
const one = { tag: 'approvals', access: 'user', params, answer: approvalSchema } as const

/** The inbox: what waits for a person, and what was decided. */
export function approvalRoutes(platform: GetPlatform): Route[] {
  const approvals = () => platform().hub.approvals
  return [
    defineRoute({
      ...{ method: 'GET', path: '/approvals', tag: 'approvals', access: 'user' },
      summary: 'What the caller has asked for or may decide, newest first.',
      query: approvalsQuerySchema,
      answer: approvalsPageSchema,
      async handle({ principal, query: { status, mine, ...page } }) {
        const asked = { status, mine: mine === 'true' }
        const read = (part: typeof page) => approvals().list(principal, { ...asked, ...part })
        const { rows, ...told } = await openPage(page, read)
        return { approvals: rows, ...told }
      },
    }),
    defineRoute({
      ...one,
      ...{ method: 'GET', path: '/approvals/:approval_id', summary: 'One approval.' },
      handle: ({ principal, params }) => approvals().get(principal, params.approval_id),
    }),
    defineRoute({
      ...one,
      ...{ method: 'POST', path: '/approvals/:approval_id/decide', lane: 'reserved' },
      summary: 'Approves or rejects. What was decided already is a conflict, with its decision.',
      body: decisionRequestSchema,
      handle: ({ principal, params, body }) =>
        approvals().decide(principal, params.approval_id, body),
    }),
    defineRoute({
      ...one,
      ...{ method: 'POST', path: '/approvals/:approval_id/reask' },
      summary: 'Asks again for what has expired.',
      handle: ({ principal, params }) => approvals().reask(principal, params.approval_id),
    }),
    defineRoute({
      ...one,
      ...{ method: 'POST', path: '/approvals/:approval_id/hand-over' },
      summary: 'Gives it to another person of the tenant to decide.',
      body: handOverRequestSchema,
      handle: ({ principal, params, body }) =>
        approvals().handOver(principal, params.approval_id, body.user_id),
    }),
  ]
}
