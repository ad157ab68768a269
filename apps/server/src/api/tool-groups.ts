import {
  toolGroupCreateSchema,
  toolGroupListSchema,
  toolGroupParamsSchema,
  toolGroupSchema,
  toolGroupUpdateSchema,
  toolGroupWithKeySchema,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { refusingTwice } from './duplicate.ts'
import { gatewayOf, toGroupInfo } from './tool-groups-view.ts'

const all = { path: '/mcp-groups', tag: 'gateway', access: 'admin' } as const
const one = {
  path: '/mcp-groups/:group_id',
  tag: 'gateway',
  access: 'admin',
  params: toolGroupParamsSchema,
} as const

/** The sets of tools that are offered to MCP clients, each under a key of its own. */
export function toolGroupRoutes(platform: GetPlatform): Route[] {
  const groups = () => gatewayOf(platform()).groups
  return [
    defineRoute({
      ...{ ...all, method: 'GET', summary: 'The tool groups of the tenant, by name.' },
      answer: toolGroupListSchema,
      handle: ({ principal }) => ({
        groups: groups()
          .list(principal)
          .map((group) => toGroupInfo(platform(), group)),
      }),
    }),
    defineRoute({
      ...{ ...all, method: 'POST', creates: true, secretAnswer: true, status: 201 },
      summary: 'Makes a tool group, and its key.',
      body: toolGroupCreateSchema,
      answer: toolGroupWithKeySchema,
      async handle({ principal, body }) {
        const making = groups().create(principal, body)
        const { group, key } = await refusingTwice(`a tool group ${body.group_id}`, making)
        return { group: toGroupInfo(platform(), group), key }
      },
    }),
    defineRoute({
      ...{ ...one, method: 'GET', summary: 'A tool group, with the addresses to paste.' },
      answer: toolGroupSchema,
      handle: ({ principal, params: { group_id } }) =>
        toGroupInfo(platform(), groups().view(principal, group_id)),
    }),
    defineRoute({
      ...{ ...one, method: 'PATCH' },
      summary: 'Changes a tool group; clients that are connected are held to it within a second.',
      body: toolGroupUpdateSchema,
      answer: toolGroupSchema,
      handle: async ({ principal, params: { group_id }, body }) =>
        toGroupInfo(platform(), await groups().update(principal, group_id, body)),
    }),
    defineRoute({
      ...{ ...one, method: 'DELETE' },
      summary: 'Removes a tool group; its key and all that it gave end within a second.',
      handle: ({ principal, params: { group_id } }) => groups().remove(principal, group_id),
    }),
  ]
}
