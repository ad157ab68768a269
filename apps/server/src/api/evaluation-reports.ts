import { setImmediate } from 'node:timers/promises'
import { compareReports, toHtml, toJUnit } from '@dataagent/harbor'
import {
  AppError,
  comparisonQuerySchema,
  comparisonSchema,
  type EvaluationReport,
  evaluationReportSchema,
  evaluationRunInfoSchema,
  parseAs,
  parseJson,
  readJson,
  reportQuerySchema,
  trialSchema,
} from '@dataagent/schema'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { defineRoute, type Route } from '../deps/index.ts'
import {
  isOpen,
  stateOf,
  toPartialReport,
  toStoredReport,
  toStoredTrial,
} from '../evaluations/index.ts'
import type { Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import type { EvaluationRunKey, WholeEvaluationRun } from '../ports/index.ts'
import { findWholeRun, requireRun, toRunInfo } from './evaluation-runs-view.ts'

const params = evaluationRunInfoSchema.pick({ run_id: true }).strict()
const one = '/evaluations/runs/:run_id'
const reads = { tag: 'evaluations', access: 'member' } as const
const uploadMax = 33_554_432
/** Its trials are read part by part: others must not wait for all of them. */
const uploadSchema = evaluationReportSchema.extend({ trials: z.array(z.unknown()) })
const trialsAtOnce = 500
/** A page that shows it can neither run nor load anything. */
const htmlPolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"

/** What runs came to, and how they differ. */
export function evaluationReportRoutes(platform: GetPlatform): Route[] {
  return [reportRoute(platform), comparisonRoute(platform), uploadRoute(platform)]
}

function reportRoute(platform: GetPlatform): Route {
  return defineRoute({
    ...{ ...reads, method: 'GET', path: `${one}/report` },
    summary: 'What a run came to: as JSON, as a page for people or as JUnit XML.',
    ...{ params, query: reportQuerySchema, answer: evaluationReportSchema, asIs: true },
    raw: { produces: 'application/json, text/html, application/xml' },
    async handle({ principal, params: { run_id }, query: { format, lang }, reply }) {
      const run = await findWholeRun(platform(), principal, run_id)
      const report = await readReport(platform(), run)
      if (format === 'json') return report
      const ending = format === 'html' ? 'html' : 'xml'
      void reply.header('content-disposition', `attachment; filename="${run_id}.${ending}"`)
      if (format === 'junit')
        return reply.type('application/xml; charset=utf-8').send(toJUnit(report))
      const comparison = await compareWithOwn(platform(), principal, { run, report })
      const page = toHtml(report, { lang, ...(comparison && { comparison }) })
      void reply.header('content-security-policy', htmlPolicy)
      return reply.type('text/html; charset=utf-8').send(page)
    },
  })
}

function comparisonRoute(platform: GetPlatform): Route {
  return defineRoute({
    ...{ ...reads, method: 'GET', path: `${one}/comparison` },
    summary: 'A run beside an earlier one: what differs by more than chance.',
    ...{ params, query: comparisonQuerySchema, answer: comparisonSchema },
    async handle({ principal, params: { run_id }, query }) {
      const run = await findWholeRun(platform(), principal, run_id)
      const baseline = query.baseline ?? run.settings?.baseline_run_id
      if (!baseline) throw new AppError('invalid_request', 'Say which run is the baseline.')
      const before = await findWholeRun(platform(), principal, baseline)
      const [earlier, current] = await Promise.all([
        readReport(platform(), before),
        readReport(platform(), run),
      ])
      return compareReports(earlier, current)
    },
  })
}

/** Where the run names a baseline that is still there. */
async function compareWithOwn(
  platform: Platform,
  principal: Principal,
  { run, report }: { run: WholeEvaluationRun; report: EvaluationReport },
) {
  const baseline = run.settings?.baseline_run_id
  if (!baseline) return undefined
  const before = await findWholeRun(platform, principal, baseline).catch(() => undefined)
  const earlier = before && (await readReport(platform, before).catch(() => undefined))
  return earlier && compareReports(earlier, report)
}

/** Throws `conflict` where there is none yet. */
async function readReport(platform: Platform, run: WholeEvaluationRun): Promise<EvaluationReport> {
  if (isOpen(stateOf(run, platform.clock.now())))
    throw new AppError('conflict', 'There is no report yet: the run has not ended.')
  const { trials: rows } = platform.tables.evaluations
  const trials = await rows.list(run, { limit: await rows.count(run, {}), offset: 0 })
  // Of one whose process has died there are the trials alone.
  if (run.report === null) return toPartialReport(platform, run, trials)
  const stored = readJson(run.report) as unknown as EvaluationReport
  return { ...stored, questions: run.questions, trials }
}

function uploadRoute(platform: GetPlatform): Route {
  return defineRoute({
    ...{ method: 'POST', path: '/evaluations/runs/upload', tag: 'evaluations', access: 'user' },
    summary: 'Adds the report of a run that dataagent harbor made.',
    answer: evaluationRunInfoSchema,
    ...{ status: 201, raw: { consumes: 'application/json' } },
    async handle({ principal: { tenant_id, user_id }, request }) {
      const here = platform()
      const report = parseAs(uploadSchema, await readUpload(request), 'body')
      const { runs } = here.tables.evaluations
      const { run_id, name, questions, started_at, ended_at, counts } = report
      const key = { tenant_id, run_id }
      const now = here.clock.now()
      await runs.create({
        ...{ ...key, user_id, dataset_id: null, name, source: 'upload', settings: null },
        ...{ state: report.is_complete ? 'done' : 'cancelled', owner: '', seen_at: now },
        ...{ question_count: questions.length, planned: counts.total, questions },
        ...{ report: toStoredReport({ ...report, trials: [] }), error: null },
        ...{ created_at: now, started_at, ended_at },
      })
      await addTrials(here, key, report.trials).catch(async (error) => {
        await runs.delete(key)
        throw error
      })
      return toRunInfo(here, await requireRun(here, tenant_id, run_id))
    },
  })
}

async function addTrials(
  { tables }: Platform,
  key: EvaluationRunKey,
  given: readonly unknown[],
): Promise<void> {
  for (let at = 0; at < given.length; at += trialsAtOnce) {
    const part = given
      .slice(at, at + trialsAtOnce)
      .map((trial, index) => parseAs(trialSchema, trial, `body: trials.${at + index}`))
    await tables.evaluations.trials.add(key, at, part.map(toStoredTrial))
    await setImmediate()
  }
}

/** Larger than other bodies may be: it holds all answers. */
async function readUpload({ raw }: FastifyRequest): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length
    if (size > uploadMax) {
      raw.resume()
      throw new AppError('too_large', 'A report may have at most 32 MiB.')
    }
    chunks.push(chunk as Buffer)
  }
  return parseJson(Buffer.concat(chunks).toString(), { what: 'report' })
}
