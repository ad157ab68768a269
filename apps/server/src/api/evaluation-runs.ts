import { randomUUID } from 'node:crypto'
import {
  AppError,
  evaluationRunCreateSchema,
  evaluationRunInfoSchema,
  evaluationRunSchema,
  evaluationRunsPageSchema,
  evaluationRunsQuerySchema,
  type Question,
  trialsPageSchema,
  trialsQuerySchema,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import { isOpen, stateOf } from '../evaluations/index.ts'
import type { Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { dataOf } from './data-view.ts'
import { findDataset } from './evaluation-datasets.ts'
import {
  findRun,
  findWholeRun,
  requireRun,
  toRunInfo,
  toRunInfos,
  toRunView,
  usersOf,
} from './evaluation-runs-view.ts'

const params = evaluationRunInfoSchema.pick({ run_id: true }).strict()
const all = '/evaluations/runs'
const one = `${all}/:run_id`
const reads = { tag: 'evaluations', access: 'member' } as const
const writes = { tag: 'evaluations', access: 'user' } as const
const trialsMax = 10_000

/** Runs of questions: one's own; administrators and auditors see those of the tenant. */
export function evaluationRunRoutes(platform: GetPlatform): Route[] {
  return [...readRoutes(platform), startRoute(platform), ...changeRoutes(platform)]
}

function readRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ ...reads, method: 'GET', path: all, summary: 'Runs of questions, newest first.' },
      query: evaluationRunsQuerySchema,
      answer: evaluationRunsPageSchema,
      async handle({ principal, query }) {
        const { limit, offset, dataset_id } = query
        const { tenant_id } = principal
        const filter = { tenant_id, user_id: usersOf(principal, query), dataset_id }
        const { runs } = platform().tables.evaluations
        const [found, total] = await Promise.all([
          runs.list({ ...filter, limit, offset }),
          runs.count(filter),
        ])
        return { runs: await toRunInfos(platform(), found), limit, offset, total }
      },
    }),
    defineRoute({
      ...{ ...reads, method: 'GET', path: one },
      summary: 'How a run stands: its counts, and of each question what came of it last.',
      params,
      answer: evaluationRunSchema,
      async handle({ principal, params: { run_id } }) {
        return toRunView(platform(), await findWholeRun(platform(), principal, run_id))
      },
    }),
    defineRoute({
      ...{ ...reads, method: 'GET', path: `${one}/trials` },
      summary: 'What was asked in it and what came of that, in the order in which it ended.',
      params,
      query: trialsQuerySchema,
      ...{ answer: trialsPageSchema, asIs: true },
      async handle({ principal, params: { run_id }, query: { limit, offset, ...filter } }) {
        const run = await findRun(platform(), principal, run_id)
        const { trials } = platform().tables.evaluations
        const [found, total] = await Promise.all([
          trials.list(run, { ...filter, limit, offset }),
          trials.count(run, filter),
        ])
        return { trials: found, limit, offset, total }
      },
    }),
  ]
}

function startRoute(platform: GetPlatform): Route {
  return defineRoute({
    ...{ ...writes, method: 'POST', path: all },
    summary: 'Puts the questions of a set to an agent, with your rights and nobody to be asked.',
    body: evaluationRunCreateSchema,
    answer: evaluationRunInfoSchema,
    ...{ status: 201, creates: true },
    async handle({ principal, body: { dataset_id, ...asked } }) {
      const here = platform()
      const { tenant_id, user_id } = principal
      const dataset = await findDataset(here, principal, dataset_id)
      const { assistant_id } = here.agents.choose(tenant_id, asked.assistant_id ?? undefined)
      if (asked.baseline_run_id) await findRun(here, principal, asked.baseline_run_id)
      const sql_source = await findSqlSource(here, principal, asked.sql_source)
      const questions = dataset.questions.filter((question) => isWanted(question, asked))
      const planned = questions.length * asked.attempts
      assertPlanned(planned)
      const run_id = randomUUID()
      await here.evaluations.start(principal, {
        ...{ tenant_id, run_id, dataset_id, user_id, name: dataset.name, source: 'platform' },
        ...{ settings: { ...asked, assistant_id, sql_source }, questions, planned },
        ...{ question_count: questions.length, created_at: here.clock.now() },
      })
      return toRunInfo(here, await requireRun(here, tenant_id, run_id))
    },
  })
}

/** Its id, by which it is found whatever it is called later. Throws as asking it would. */
async function findSqlSource(
  platform: Platform,
  principal: Principal,
  asked: string | null,
): Promise<string | null> {
  if (asked === null) return null
  const { source } = await dataOf(platform, principal).sources.open(principal, asked)
  return source.source_id
}

function assertPlanned(planned: number): void {
  if (planned === 0)
    throw new AppError('invalid_request', 'No question has one of those tags and categories.')
  if (planned <= trialsMax) return
  const message = `These are ${planned} askings; a run has at most ${trialsMax}.`
  throw new AppError('invalid_request', message)
}

/** With nothing named, every one is. */
function isWanted(
  question: Question,
  { tags, categories }: { tags: readonly string[]; categories: readonly string[] },
): boolean {
  const hasTag = tags.length === 0 || question.tags.some((tag) => tags.includes(tag))
  const { category } = question
  return hasTag && (categories.length === 0 || categories.includes(category ?? ''))
}

function changeRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ ...writes, method: 'POST', path: `${one}/cancel`, lane: 'reserved' },
      summary: 'Stops a run; what was asked until then stays.',
      params,
      answer: evaluationRunInfoSchema,
      async handle({ principal, params: { run_id } }) {
        const here = platform()
        const run = await findRun(here, principal, run_id)
        await here.evaluations.cancel(run)
        return toRunInfo(here, await requireRun(here, run.tenant_id, run_id))
      },
    }),
    defineRoute({
      ...{ ...writes, method: 'POST', path: `${one}/resume` },
      summary: 'Goes on with a run of yours that was interrupted: asks what was not asked yet.',
      params,
      answer: evaluationRunInfoSchema,
      async handle({ principal, params: { run_id } }) {
        const here = platform()
        const run = await findRun(here, principal, run_id)
        if (run.user_id !== principal.user_id)
          throw new AppError('forbidden', `Only ${run.user_id} can resume it, with their rights.`)
        await here.evaluations.resume(principal, run)
        return toRunInfo(here, await requireRun(here, run.tenant_id, run_id))
      },
    }),
    defineRoute({
      ...{ ...writes, method: 'DELETE', path: one },
      summary: 'Deletes a run and what came of it; 409 while it is under way.',
      params,
      async handle({ principal, params: { run_id } }) {
        const { tables, clock } = platform()
        const run = await findRun(platform(), principal, run_id)
        if (isOpen(stateOf(run, clock.now())))
          throw new AppError('conflict', 'It is under way: stop it first.')
        await tables.evaluations.runs.delete(run)
      },
    }),
  ]
}
