import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { relative } from 'node:path'
import {
  compareReports,
  createClientAsker,
  formatComparison,
  formatReport,
  openJournal,
  openTranscripts,
  type QuestionSet,
  runJob,
  type SinkSummary,
  toHtml,
  toJUnit,
} from '@dataagent/harbor'
import { type Comparison, type EvaluationReport, isAppError } from '@dataagent/schema'
import { exitCodes } from '../../args/index.ts'
import { openPlatform } from '../../platform/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import type { Program, ProgramContext } from '../contract.ts'
import { toSafeJson } from '../safe-json.ts'
import { listenForStops } from '../stops.ts'
import { readQuestions, readReport, UsageError, write } from './files.ts'
import { fits } from './filter.ts'
import { openFolder, type RunFolder } from './folder.ts'
import { formatOptionsOf } from './format-options.ts'
import { createProgress, type ProgressView } from './progress.ts'
import { type HarborRequest, toRequest } from './request.ts'
import { openSinks, type Sinks } from './sinks.ts'
import { words } from './words.ts'

/** `dataagent harbor run`: asks the questions of a file, and writes what came of it. */
export const runQuestions: Program = async (call, context) => {
  const { cwd, env, warn, lang } = context
  const request = toRequest(call, context)
  const set = await readSet(request, cwd)
  const { baseline: path } = request
  const baseline = path === undefined ? undefined : await readReport(cwd, path)
  const folder = await openFolder(request, { cwd, name: set.name, now: Date.now() })
  await using sinks = openSinks(env)
  const { report, isStopped } = await ask(request, set, { folder, sinks, context })
  const comparison = baseline && compareReports(baseline, report)
  const files = await writeFiles(report, comparison, { request, folder, context })
  print(report, comparison, { request, context })
  for (const path of files) warn(words.written(toShown(path, cwd))[lang])
  // Last: a service that is slow must not keep anybody from the report.
  for (const summary of await sinks.finish(report)) tell(summary, context)
  return end(report, { request, folder, isStopped, context })
}

async function readSet(request: HarborRequest, cwd: string): Promise<QuestionSet> {
  const { file, filters, sqlSource } = request
  const set = await readQuestions(cwd, file)
  const questions = set.questions.filter((question) => fits(question, filters))
  if (questions.length === 0) throw new UsageError(words.noneLeft)
  const withSql = questions.filter(({ expected_sql }) => expected_sql !== null)
  if (withSql.length > 0 && sqlSource === undefined)
    throw new UsageError(words.noSqlSource(withSql.length))
  return { ...set, questions }
}

async function ask(
  request: HarborRequest,
  set: QuestionSet,
  { folder, sinks, context }: { folder: RunFolder; sinks: Sinks; context: ProgramContext },
): Promise<{ report: EvaluationReport; isStopped: boolean }> {
  const { load, transport, approve, attempts, maxSeconds: max_seconds } = request
  const { sqlSource } = request
  const { stderr, lang, warn, readerGone } = context
  let say = warn
  let view: ProgressView | undefined
  using stops = listenForStops({
    ...{ timeoutSeconds: undefined, readerGone },
    onStop: () => say(words.stopping[lang]),
    undo() {
      view?.[Symbol.dispose]()
      return undefined
    },
  })
  const { signal } = stops
  // Each asking that is under way listens to it.
  setMaxListeners(0, signal)
  const options = { ...context.options, server: request.url ?? context.options.server }
  await using link = await openPlatform({ ...context, options, signal })
  // Only now: a key that is wrong leaves nothing that would have to be resumed.
  await using journal = await beginJournal(folder, { run_id: randomUUID(), set, load })
  await using transcripts = await openTranscripts(folder.transcripts)
  const { run_id } = journal
  const { assistant_id } = options
  await using asker = createClientAsker({
    ...{ client: link.client, transport, approve, assistant_id, sqlSource },
  })
  if (approve === 'auto') warn(words.auto[lang])
  if (sinks.names.length > 0) warn(words.telling(sinks.names)[lang])
  await sinks.begin(set, { run_id })
  using progress = request.isQuiet ? undefined : createProgress({ stderr, lang, load })
  view = progress
  if (progress) say = progress.say
  const report = await runJob({
    ...{ run_id, set, asker, load, attempts, max_seconds, journal, transcripts, signal },
    target: {
      ...{ url: link.url, transport, assistant_id: assistant_id ?? null },
      server_version: link.version,
    },
    onProgress: (given) => progress?.show(given),
    onTrial: sinks.onTrial,
  }).catch(otherRun)
  return { report, isStopped: signal.aborted }
}

/** A journal of another run is the caller's mistake. */
async function beginJournal(folder: RunFolder, header: Parameters<typeof openJournal>[1]) {
  return openJournal(folder.journal, header).catch(otherRun)
}

function otherRun(error: unknown): never {
  if (!isAppError(error) || error.code !== 'conflict') throw error
  throw new UsageError(words.otherRun(error.message), { cause: error })
}

interface Around {
  request: HarborRequest
  context: ProgramContext
}

async function writeFiles(
  report: EvaluationReport,
  comparison: Comparison | undefined,
  { request, folder, context }: Around & { folder: RunFolder },
): Promise<string[]> {
  const { lang } = context
  const contents = {
    json: () => `${JSON.stringify(report)}\n`,
    junit: () => toJUnit(report),
    html: () => toHtml(report, { lang, comparison }),
  }
  const asked = (['json', 'junit', 'html'] as const).filter((one) => request.formats.has(one))
  return Promise.all(asked.map((format) => write(folder[format], contents[format]())))
}

function print(
  report: EvaluationReport,
  comparison: Comparison | undefined,
  { request, context }: Around,
): void {
  const { stdout } = context
  if (request.isJson) {
    const shown = comparison ? { ...report, comparison } : report
    stdout.write(`${toSafeJson(JSON.stringify(shown))}\n`)
    return
  }
  const options = formatOptionsOf(context)
  const parts = [formatReport(report, options)]
  if (comparison) parts.push(formatComparison(comparison, options))
  stdout.write(`${parts.join('\n\n')}\n`)
}

function tell(summary: SinkSummary, { warn, lang }: ProgramContext): void {
  const { name, place, sent, dropped, failed, warnings } = summary
  for (const warning of warnings) warn(toPlainLine(warning))
  warn(words.told(name, toPlainLine(place ?? '-'), { sent, lost: dropped + failed })[lang])
}

/** As it can be typed here. */
function toShown(path: string, cwd: string): string {
  const from = relative(cwd, path)
  return toPlainLine(from === '' || from.startsWith('..') ? path : from)
}

function end(
  report: EvaluationReport,
  { request, folder, isStopped, context }: Around & { folder: RunFolder; isStopped: boolean },
): number {
  const { warn, lang, cwd } = context
  const { failUnder } = request
  const { counts, pass_rate } = report
  const canGoOn = request.load.duration_seconds === null
  const where = [toPlainLine(request.file), toShown(folder.path, cwd)] as const
  if (isStopped && !report.is_complete) {
    if (canGoOn) warn(words.goOn(...where)[lang])
    return exitCodes.cancelled
  }
  if (canGoOn && counts.error > 0) warn(words.askAgain(counts.error, ...where)[lang])
  // Nothing is known: that is no success, whatever share was wanted.
  if (counts.total === 0) return exitCodes.error
  if (failUnder === undefined)
    return counts.passed === counts.total ? exitCodes.ok : exitCodes.error
  if (pass_rate.value >= failUnder) return exitCodes.ok
  warn(words.under(pass_rate.value, failUnder)[lang])
  return exitCodes.error
}
