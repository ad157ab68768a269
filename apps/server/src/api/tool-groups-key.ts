import {
  groupKeyCopySchema,
  groupKeyRotateRequestSchema,
  toolGroupParamsSchema,
  toolGroupWithKeySchema,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { gatewayOf, toGroupInfo } from './tool-groups-view.ts'

const one = {
  path: '/mcp-groups/:group_id/key',
  tag: 'gateway',
  access: 'admin',
  params: toolGroupParamsSchema,
} as const

/** The key of a tool group: told again, replaced, ended. */
export function toolGroupKeyRoutes(platform: GetPlatform): Route[] {
  const groups = () => gatewayOf(platform()).groups
  return [
    defineRoute({
      ...{ ...one, path: `${one.path}/copy`, method: 'POST' },
      summary: 'Tells the key once more, which is recorded; 403 where it was shown once.',
      answer: groupKeyCopySchema,
      handle: async ({ principal, params: { group_id } }) => ({
        key: await groups().copyKey(principal, group_id),
      }),
    }),
    defineRoute({
      ...{ ...one, path: `${one.path}/rotate`, method: 'POST' },
      summary: 'Makes a key in the place of the old one, which may hold on for a while.',
      body: groupKeyRotateRequestSchema,
      answer: toolGroupWithKeySchema,
      async handle({ principal, params: { group_id }, body }) {
        const { overlap_seconds = 0, ...expiry } = body
        const options = { overlapMs: overlap_seconds * 1000, ...expiry }
        const { group, key } = await groups().rotateKey(principal, group_id, options)
        return { group: toGroupInfo(platform(), group), key }
      },
    }),
    defineRoute({
      ...{ ...one, method: 'DELETE' },
      summary: 'Ends the key, and all that clients got with it, within a second.',
      async handle({ principal, params: { group_id } }) {
        await groups().revokeKey(principal, group_id)
      },
    }),
  ]
}
