import { randomUUID } from 'node:crypto'
import { parseQuestions } from '@dataagent/harbor'
import {
  AppError,
  datasetCreateSchema,
  datasetImportSchema,
  datasetInfoSchema,
  datasetSchema,
  datasetsPageSchema,
  datasetUpdateSchema,
  pageQuerySchema,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import type { DatasetRow } from '../ports/index.ts'

const params = datasetInfoSchema.pick({ dataset_id: true }).strict()
const all = '/evaluations/datasets'
const one = `${all}/:dataset_id`
/** Who acts may add; everyone of the tenant may read. */
const reads = { tag: 'evaluations', access: 'member' } as const
const writes = { tag: 'evaluations', access: 'user' } as const
const datasetsMax = 500

/** Sets of questions: shared by a tenant, changed by who made them and by administrators. */
export function datasetRoutes(platform: GetPlatform): Route[] {
  return [...readRoutes(platform), ...makeRoutes(platform), ...changeRoutes(platform)]
}

function readRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ ...reads, method: 'GET', path: all },
      summary: 'The sets of questions of your organisation, by name.',
      query: pageQuerySchema,
      answer: datasetsPageSchema,
      async handle({ principal: { tenant_id }, query: page }) {
        const { datasets } = platform().tables.evaluations
        const [found, total] = await Promise.all([
          datasets.list({ tenant_id, ...page }),
          datasets.count(tenant_id),
        ])
        return { datasets: found, ...page, total }
      },
    }),
    defineRoute({
      ...{ ...reads, method: 'GET', path: one, summary: 'One, with its questions.' },
      params,
      answer: datasetSchema,
      handle: ({ principal, params: { dataset_id } }) =>
        findDataset(platform(), principal, dataset_id),
    }),
    defineRoute({
      ...{ ...reads, method: 'GET', path: `${one}/export` },
      summary: 'One as a file that can be imported, and run with dataagent harbor.',
      params,
      raw: { produces: 'application/json' },
      async handle({ principal, params: { dataset_id }, reply }) {
        const { name, questions } = await findDataset(platform(), principal, dataset_id)
        return reply
          .type('application/json; charset=utf-8')
          .header('content-disposition', `attachment; filename="${dataset_id}.json"`)
          .send(`${JSON.stringify({ name, questions }, undefined, 2)}\n`)
      },
    }),
  ]
}

function makeRoutes(platform: GetPlatform): Route[] {
  const made = { answer: datasetSchema, status: 201, creates: true } as const
  return [
    defineRoute({
      ...{ ...writes, method: 'POST', path: all, summary: 'Adds a set of questions.' },
      ...{ ...made, body: datasetCreateSchema },
      handle: ({ principal, body }) => create(platform(), principal, body),
    }),
    defineRoute({
      ...{ ...writes, method: 'POST', path: `${all}/import` },
      summary: 'Adds one from a file: JSON, JSON lines, YAML or a promptfoo configuration.',
      ...{ ...made, body: datasetImportSchema },
      handle({ principal, body: { text, name = '', format } }) {
        const set = parseQuestions(text, { name, ...(format && { format }) })
        // What is read from a file is held to the same limits as what is sent.
        return create(platform(), principal, toCreate({ ...set, name: name || set.name }))
      },
    }),
  ]
}

function changeRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ ...writes, method: 'PUT', path: one },
      summary: 'Puts another name and other questions in the place of those that it has.',
      params,
      body: datasetUpdateSchema,
      answer: datasetSchema,
      async handle({ principal, params: { dataset_id }, body }) {
        const found = await findOwn(platform(), principal, dataset_id)
        const { updated_at: before, name, questions } = body
        const { tables, clock } = platform()
        // Of two changes within a millisecond each has a time of its own.
        const updated_at = Math.max(clock.now(), found.updated_at + 1)
        const row = { ...found, name, questions, question_count: questions.length, updated_at }
        if (await tables.evaluations.datasets.update(row, { before })) return row
        throw new AppError('conflict', 'Someone has changed it since: read it again.')
      },
    }),
    defineRoute({
      ...{ ...writes, method: 'DELETE', path: one },
      summary: 'Deletes a set of questions; runs of it stay.',
      params,
      async handle({ principal, params: { dataset_id } }) {
        const { tenant_id } = await findOwn(platform(), principal, dataset_id)
        await platform().tables.evaluations.datasets.delete(tenant_id, dataset_id)
      },
    }),
  ]
}

function toCreate(set: unknown): ReturnType<typeof datasetCreateSchema.parse> {
  const parsed = datasetCreateSchema.safeParse(set)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue?.path.join('.') ?? ''
  throw new AppError('invalid_request', `${place ? `${place}: ` : ''}${issue?.message}`)
}

async function create(
  { tables, clock }: Platform,
  { tenant_id, user_id }: Principal,
  { name, questions }: Pick<DatasetRow, 'name' | 'questions'>,
): Promise<DatasetRow> {
  const now = clock.now()
  const row = {
    ...{ tenant_id, user_id, dataset_id: randomUUID(), name, questions },
    ...{ question_count: questions.length, created_at: now, updated_at: now },
  }
  await tables.evaluations.datasets.create(row, { max: datasetsMax })
  return row
}

/** Throws `not_found`. */
export async function findDataset(
  { tables }: Platform,
  { tenant_id }: Principal,
  dataset_id: string,
): Promise<DatasetRow> {
  const found = await tables.evaluations.datasets.get(tenant_id, dataset_id)
  if (found) return found
  throw new AppError('not_found', `there is no set of questions ${dataset_id}`)
}

/** One that the caller may change. Throws `not_found`, and `forbidden` for another's. */
async function findOwn(
  platform: Platform,
  principal: Principal,
  dataset_id: string,
): Promise<DatasetRow> {
  const found = await findDataset(platform, principal, dataset_id)
  if (found.user_id === principal.user_id || mayAccess(principal, 'admin')) return found
  const message = `Only ${found.user_id}, who made it, and administrators may change it.`
  throw new AppError('forbidden', message)
}
