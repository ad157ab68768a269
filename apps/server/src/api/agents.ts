import {
  agentCreateSchema,
  agentDefinitionSchema,
  agentDetailsSchema,
  agentListSchema,
  agentsQuerySchema,
  agentUpdateSchema,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { addAgent, changeAgent, findAgent, listAgents, removeAgent } from './agents-changes.ts'

const params = agentDefinitionSchema.pick({ assistant_id: true }).strict()
const one = '/agents/:assistant_id'
const managed = { tag: 'agents', access: 'admin' } as const

/** The agents of the tenant: listed for those who chat with them, set up by administrators. */
export function agentRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ method: 'GET', path: '/agents', tag: 'agents', access: 'user' },
      summary: 'The agents that you may chat with.',
      query: agentsQuerySchema,
      answer: agentListSchema,
      async handle({ principal, query: { all } }) {
        return { agents: await listAgents(platform(), principal, all === 'true') }
      },
    }),
    defineRoute({
      ...{ ...managed, method: 'GET', path: one, summary: 'How an agent is set up.' },
      params,
      answer: agentDetailsSchema,
      handle: ({ principal, params: { assistant_id } }) =>
        findAgent(platform(), principal, assistant_id),
    }),
    defineRoute({
      ...{ ...managed, method: 'POST', path: '/agents', summary: 'Sets up an agent.' },
      body: agentCreateSchema,
      answer: agentDetailsSchema,
      status: 201,
      creates: true,
      handle: ({ principal, body }) => addAgent(platform(), principal, body),
    }),
    defineRoute({
      ...{ ...managed, method: 'PUT', path: one, summary: 'Changes an agent.' },
      params,
      body: agentUpdateSchema,
      answer: agentDetailsSchema,
      handle: ({ principal, params: { assistant_id }, body: update }) =>
        changeAgent(platform(), principal, { assistant_id, update }),
    }),
    defineRoute({
      ...{ ...managed, method: 'DELETE', path: one },
      summary: 'Removes an agent; of the built-in one what was changed.',
      params,
      handle: ({ principal, params: { assistant_id } }) =>
        removeAgent(platform(), principal, assistant_id),
    }),
  ]
}
