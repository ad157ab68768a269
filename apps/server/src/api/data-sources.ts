import {
  AppError,
  dataSourceCreateSchema,
  dataSourceListSchema,
  dataSourceNotesSchema,
  dataSourceSchema,
  dataSourceUpdateSchema,
  dataTableListSchema,
  dataTablesQuerySchema,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { toEngineSource } from './data-locations.ts'
import { dataOf } from './data-view.ts'
import { createTestsAtOnce } from './tests-at-once.ts'

const params = dataSourceSchema.pick({ source_id: true }).strict()
const all = '/data/sources'
const one = `${all}/:source_id`
const managed = { tag: 'data', access: 'admin' } as const

/** Sources of data, which administrators register; how they are reached is written, never read. */
export function dataSourceRoutes(platform: GetPlatform): Route[] {
  const sources = (principal: Principal) => dataOf(platform(), principal).sources
  return [
    ...readRoutes(platform),
    defineRoute({
      ...{ ...managed, method: 'POST', path: all, status: 201, creates: true },
      summary: 'Registers a source of data for all of your organisation.',
      ...{ body: dataSourceCreateSchema, answer: dataSourceSchema },
      async handle({ principal, body }) {
        const location = await toEngineSource(body.location)
        return sources(principal).create(principal, { ...body, location })
      },
    }),
    defineRoute({
      ...{ ...managed, method: 'PATCH', path: one, summary: 'Changes a source.' },
      ...{ params, body: dataSourceUpdateSchema, answer: dataSourceSchema },
      async handle({ principal, params: { source_id }, body: { location, ...change } }) {
        const moved = location && { location: await toEngineSource(location) }
        return sources(principal).update(principal, source_id, { ...change, ...moved })
      },
    }),
    defineRoute({
      ...{ ...managed, method: 'DELETE', path: one },
      summary: 'Removes a source with its definitions and questions; queries of it stay.',
      params,
      handle: ({ principal, params: { source_id } }) =>
        sources(principal).remove(principal, source_id),
    }),
    ...checkRoutes(platform),
  ]
}

function readRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ method: 'GET', path: all, tag: 'data', access: 'member' },
      summary: 'The sources that you may ask, your own workspace among them.',
      answer: dataSourceListSchema,
      handle: async ({ principal }) => ({
        sources: await dataOf(platform(), principal).sources.list(principal),
      }),
    }),
    defineRoute({
      ...{ method: 'GET', path: `${one}/tables`, tag: 'data', access: 'user', isLong: true },
      summary: 'The tables of a source with their columns, and what is said of them.',
      ...{ params, query: dataTablesQuerySchema, answer: dataTableListSchema },
      async handle({ principal, params: { source_id }, query: { names, all: whole }, signal }) {
        const { sources } = dataOf(platform(), principal)
        const tables = names?.split(',').map((name) => name.trim())
        if (whole !== 'true')
          return {
            tables: await sources.describe(principal, source_id, { ...named(tables), signal }),
          }
        requireAdministrator(principal)
        const found = await sources.describeWhole(principal, source_id, signal)
        return { tables: tables ? found.filter(({ name }) => tables.includes(name)) : found }
      },
    }),
  ]
}

function checkRoutes(platform: GetPlatform): Route[] {
  const inTurn = createTestsAtOnce()
  return [
    defineRoute({
      ...{ ...managed, method: 'POST', path: `${one}/check`, isLong: true },
      summary: 'Connects to a source, and says in its status what came of it.',
      ...{ params, answer: dataSourceSchema },
      handle: ({ principal, params: { source_id }, signal }) =>
        inTurn(principal, () =>
          dataOf(platform(), principal).sources.check(principal, source_id, signal),
        ),
    }),
    defineRoute({
      ...{ ...managed, method: 'GET', path: `${one}/notes` },
      summary: 'What is said of its tables and columns, and which are hidden.',
      ...{ params, answer: dataSourceNotesSchema },
      handle: ({ principal, params: { source_id } }) =>
        dataOf(platform(), principal).sources.notes(principal, source_id),
    }),
    defineRoute({
      ...{ ...managed, method: 'PUT', path: `${one}/notes` },
      summary: 'Says it anew.',
      ...{ params, body: dataSourceNotesSchema, answer: dataSourceNotesSchema },
      async handle({ principal, params: { source_id }, body: notes }) {
        await dataOf(platform(), principal).sources.update(principal, source_id, { notes })
        return notes
      },
    }),
  ]
}

const named = (tables: string[] | undefined) => (tables ? { tables } : {})

function requireAdministrator(principal: Principal): void {
  if (mayAccess(principal, 'admin')) return
  throw new AppError('forbidden', 'What is hidden is shown to administrators.')
}
