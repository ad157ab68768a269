import {
  AppError,
  type DataQuestion,
  dataQuestionRunRequestSchema,
  dataQuestionSchema,
  dataQuestionsPageSchema,
  dataQuestionsQuerySchema,
  dataQuestionUpdateSchema,
  queryResultSchema,
  type StoredQuestion,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import type { RunQuery } from './data-run.ts'
import { dataOf, requireSource, withoutTenant } from './data-view.ts'

const params = dataQuestionSchema.pick({ question_id: true }).strict()
const all = '/data/questions'
const one = `${all}/:question_id`
const acts = { tag: 'data', access: 'user' } as const
/** Verified ones of a tenant, and saved ones of one user. */
const verifiedMax = 2_000
const savedMax = 500

/** Questions with their queries: verified ones for all of a tenant, and those one has saved. */
export function dataQuestionRoutes(platform: GetPlatform, run: RunQuery): Route[] {
  return [
    defineRoute({
      ...{ method: 'GET', path: all, tag: 'data', access: 'member' },
      summary: 'Verified questions of your organisation and your own, the newest first.',
      ...{ query: dataQuestionsQuerySchema, answer: dataQuestionsPageSchema },
      async handle({ principal, query: { limit, offset, ...filter } }) {
        dataOf(platform(), principal)
        const { tenant_id, user_id } = principal
        const seen = await platform().tables.data.questions.list(tenant_id, user_id)
        const found = seen.filter((row) => fits(row, filter))
        const questions = found.slice(offset, offset + limit).map(withoutTenant)
        return { questions, limit, offset, total: found.length }
      },
    }),
    defineRoute({
      ...{ ...acts, method: 'PUT', path: one },
      summary: 'Saves a question, or puts it in the place of the one with that id.',
      ...{ params, body: dataQuestionUpdateSchema, answer: dataQuestionSchema },
      handle: ({ principal, params: { question_id }, body }) =>
        put(platform(), principal, { question_id, ...body }),
    }),
    defineRoute({
      ...{ ...acts, method: 'DELETE', path: one, summary: 'Removes a question.' },
      params,
      async handle({ principal, params: { question_id } }) {
        dataOf(platform(), principal)
        const before = await findOwn(platform(), principal, question_id)
        const note = noteOf(platform(), principal, { before })
        await platform().tables.data.questions.delete(before.tenant_id, question_id, { note })
      },
    }),
    defineRoute({
      ...{ ...acts, method: 'POST', path: `${one}/run` },
      ...{ status: 201, creates: true, isLong: true },
      summary: 'Runs the query of a question now.',
      ...{ params, body: dataQuestionRunRequestSchema, answer: queryResultSchema },
      async handle({ principal, params: { question_id }, body, signal }) {
        const found = await findSeen(platform(), principal, question_id)
        const { source_id: source, sql, question: purpose, verified } = found
        return run(
          { principal, signal, session_id: body.session_id },
          {
            ...{ source, sql, purpose: purpose.slice(0, 300), limit: body.limit },
            ...(verified && { verified_question_id: question_id }),
          },
        )
      },
    }),
  ]
}

function fits(
  row: StoredQuestion,
  { source_id = row.source_id, verified }: { source_id?: string; verified?: 'true' | 'false' },
): boolean {
  const isKind = verified === undefined || row.verified === (verified === 'true')
  return isKind && row.source_id === source_id
}

type Given = Omit<DataQuestion, 'owner_user_id' | 'updated_at'>

async function put(
  platform: Platform,
  principal: Principal,
  question: Given,
): Promise<DataQuestion> {
  const room = dataOf(platform, principal)
  const { tenant_id, user_id } = principal
  const { questions } = platform.tables.data
  if (question.verified) requireVerifier(principal)
  const before = await questions.get(tenant_id, question.question_id)
  if (before) requireOwn(principal, before)
  await requireSource(room, principal, question.source_id)
  const owner_user_id = question.verified ? null : user_id
  // Of two changes within a millisecond each has a time of its own.
  const updated_at = Math.max(Math.floor(platform.clock.now()), (before?.updated_at ?? -1) + 1)
  const row = { tenant_id, ...question, owner_user_id, updated_at }
  const max = question.verified ? verifiedMax : savedMax
  await questions.put(row, { max, note: noteOf(platform, principal, { before, after: row }) })
  return withoutTenant(row)
}

/** What one saves for oneself is nobody else's matter; what all see is noted. */
function noteOf(
  platform: Platform,
  principal: Principal,
  { before, after }: { before?: StoredQuestion | undefined; after?: StoredQuestion },
) {
  const row = after ?? before
  if (row === undefined || !(before?.verified || after?.verified)) return undefined
  const happened = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  return platform.note(principal, {
    ...{ tenant_id: row.tenant_id, kind: 'data_question', target: row.question_id },
    ...{ action: happened, before: before && withoutTenant(before) },
    after: after && withoutTenant(after),
  })
}

/** Throws `not_found` for another's. */
async function findSeen(
  platform: Platform,
  { tenant_id, user_id }: Principal,
  question_id: string,
): Promise<StoredQuestion> {
  const found = await platform.tables.data.questions.get(tenant_id, question_id)
  if (found && (found.owner_user_id === null || found.owner_user_id === user_id)) return found
  throw unknown(question_id)
}

/** One that the caller may change. */
async function findOwn(
  platform: Platform,
  principal: Principal,
  question_id: string,
): Promise<StoredQuestion> {
  const found = await findSeen(platform, principal, question_id)
  requireOwn(principal, found)
  return found
}

function requireOwn(principal: Principal, { owner_user_id, question_id }: StoredQuestion): void {
  if (owner_user_id === null) requireVerifier(principal)
  else if (owner_user_id !== principal.user_id) throw unknown(question_id)
}

function requireVerifier(principal: Principal): void {
  if (mayAccess(principal, 'admin')) return
  throw new AppError('forbidden', 'Questions for all are verified by administrators.')
}

function unknown(question_id: string): AppError {
  return new AppError('not_found', `there is no question ${question_id}`)
}
