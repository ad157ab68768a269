import {
  AppError,
  dataDefinitionListSchema,
  dataDefinitionSchema,
  dataDefinitionUpdateSchema,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import type { Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { dataOf, requireSource, withoutTenant } from './data-view.ts'

const params = dataDefinitionSchema.pick({ definition_id: true }).strict()
const all = '/data/definitions'
const one = `${all}/:definition_id`
const definitionsMax = 1_000

/** What words of the business mean, as administrators say it. */
export function dataDefinitionRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ method: 'GET', path: all, tag: 'data', access: 'member' },
      summary: 'What words of your organisation mean, by term.',
      answer: dataDefinitionListSchema,
      async handle({ principal }) {
        dataOf(platform(), principal)
        const found = await platform().tables.data.definitions.list(principal.tenant_id)
        return { definitions: found.map(withoutTenant) }
      },
    }),
    defineRoute({
      ...{ method: 'PUT', path: one, tag: 'data', access: 'admin' },
      summary: 'Adds a definition, or puts it in the place of the one with that id.',
      ...{ params, body: dataDefinitionUpdateSchema, answer: dataDefinitionSchema },
      async handle({ principal, params: { definition_id }, body }) {
        const room = dataOf(platform(), principal)
        if (body.source_id !== null) await requireSource(room, principal, body.source_id)
        const definition = { definition_id, ...body }
        const before = await findDefinition(platform(), principal, definition_id)
        const note = platform().note(principal, {
          ...noteOf(principal, definition_id),
          action: before ? 'changed' : 'added',
          ...(before && { before: withoutTenant(before) }),
          after: definition,
        })
        const row = { tenant_id: principal.tenant_id, ...definition }
        await platform().tables.data.definitions.put(row, { max: definitionsMax, note })
        return definition
      },
    }),
    defineRoute({
      ...{ method: 'DELETE', path: one, tag: 'data', access: 'admin' },
      summary: 'Removes a definition.',
      params,
      async handle({ principal, params: { definition_id } }) {
        dataOf(platform(), principal)
        const before = await findDefinition(platform(), principal, definition_id)
        const note = platform().note(principal, {
          ...{ ...noteOf(principal, definition_id), action: 'removed' },
          before: before && withoutTenant(before),
        })
        const { definitions } = platform().tables.data
        if (await definitions.delete(principal.tenant_id, definition_id, { note })) return
        throw new AppError('not_found', `there is no definition ${definition_id}`)
      },
    }),
  ]
}

function noteOf({ tenant_id }: Principal, target: string) {
  return { tenant_id, kind: 'data_definition', target } as const
}

async function findDefinition({ tables }: Platform, { tenant_id }: Principal, asked: string) {
  const found = await tables.data.definitions.list(tenant_id)
  return found.find(({ definition_id }) => definition_id === asked)
}
