import type { Client } from '@dataagent/client'
import type { QueryResult, SentEvent, SessionInfo } from '@dataagent/schema'
import { type ExitStatus, exitCodes } from '../args/index.ts'
import type { Link } from '../link/index.ts'
import { messageMax } from '../message-max.ts'
import { openPlatform } from '../platform/index.ts'
import {
  listenForStops,
  type Program,
  type ProgramContext,
  type Stops,
  toSafeJson,
} from '../programs/index.ts'
import { toPlain, toPlainLine } from '../ui/index.ts'
import { createApprovals } from './approvals.ts'
import { followTurn } from './follow-turn.ts'
import { createProgress } from './progress.ts'
import { readMessage } from './read-message.ts'
import { type RunRequest, toRequest } from './request.ts'
import { toTables } from './tables.ts'
import { createTally, type RunUsage, type Tally } from './tally.ts'
import { words } from './words.ts'

/** `dataagent run`: one turn without a person. The exit code tells how it ended. */
export const runHeadless: Program = async (call, context) => {
  const { lang, warn } = context
  const request = toRequest(call, context)
  const wrong = (problem: string) => {
    warn(problem)
    return exitCodes.usage
  }
  if ('en' in request) return wrong(request[lang])
  const message = await readMessage(call.words, context)
  if (message === '') return wrong(words.noText[lang])
  if (message.length > messageMax) return wrong(words.tooLong(message.length, messageMax)[lang])
  const ended = await run(request, message, context)
  print(ended, request, context)
  return exitCodes[ended.result.status]
}

/** What `--output json` prints. */
interface RunResult {
  session_id: string | null
  status: Exclude<ExitStatus, 'usage'>
  answer: string
  /** Where `status` is not `ok`: why, in words. */
  error?: string
  error_code?: string
  usage: RunUsage | null
  duration_ms: number
  events?: SentEvent[]
}

interface Ended {
  result: RunResult
  /** What the answer rests on. */
  cited: QueryResult[]
}

async function run(request: RunRequest, message: string, context: ProgramContext): Promise<Ended> {
  const { lang, warn, readerGone } = context
  const started = performance.now()
  const tally = createTally()
  const events: SentEvent[] = []
  let session_id: string | null = null
  let approving: Approving | undefined
  using stops = listenForStops({
    ...{ timeoutSeconds: request.timeoutSeconds, readerGone },
    onStop: (reason) => {
      if (reason === 'cancelled' && !readerGone.aborted) warn(words.stopping[lang])
    },
    undo: () => approving?.[Symbol.asyncDispose](),
  })
  const toResult = (ended: Ending): RunResult => ({
    session_id,
    ...{ status: ended.status, answer: tally.answer() },
    ...(ended.error !== undefined && { error: ended.error }),
    ...(ended.error_code !== undefined && { error_code: ended.error_code }),
    usage: tally.usage() ?? null,
    duration_ms: Math.round(performance.now() - started),
    ...(request.withEvents && { events }),
  })
  const end = (ended: Ending) => ({ result: toResult(ended), cited: tally.cited() })
  try {
    await using link = await openPlatform({ ...context, signal: stops.signal })
    const session = await openSession(link.client, request, context)
    session_id = session.session_id
    await using own = approveAs(request, session, link.client)
    approving = own
    await own?.begin()
    if (request.approve === 'auto') warn(words.auto[lang])
    const hasDenied = await takeTurn({
      request,
      message,
      context,
      link,
      session_id,
      stops,
      tally,
      events,
    })
    return end(endingOf(tally, { stops, hasDenied, request, context }))
  } catch (error) {
    return end(stops.signal.aborted ? stopped(stops, request, context) : failed(error))
  }
}

interface Turn {
  request: RunRequest
  message: string
  context: ProgramContext
  link: Link
  session_id: string
  stops: Stops
  tally: Tally
  events: SentEvent[]
}

/** Whether something was denied because nobody was there to be asked. */
async function takeTurn(turn: Turn): Promise<boolean> {
  const { request, message, context, link, session_id, stops, tally, events } = turn
  const { lang, warn, stdout, stderr } = context
  const { url, client } = link
  const approvals = createApprovals({
    ...{ client, approve: request.approve, session_id, url, isRemote: link.kind === 'remote' },
    ...{ lang, warn },
  })
  const isTold = !request.isQuiet && request.output !== 'ndjson'
  const progress = isTold ? createProgress((line) => stderr.write(`${line}\n`)) : undefined
  await followTurn({
    ...{ client, session_id, message, stop: stops.signal },
    lost: link.lost.then((reason) => words.lost(reason)[lang]),
    onEvent(event) {
      tally.add(event)
      approvals.add(event)
      progress?.(event)
      if (request.withEvents) events.push(event)
      if (request.output === 'ndjson') stdout.write(toJsonLine(event))
    },
  })
  await approvals.settled()
  return approvals.hasDenied
}

async function openSession(
  client: Client,
  { session }: RunRequest,
  { options, lang }: ProgramContext,
): Promise<SessionInfo> {
  const { assistant_id } = options
  if (session.kind === 'session') return client.sessions.get(session.session_id)
  if (session.kind === 'new') return client.sessions.create(assistant_id ? { assistant_id } : {})
  const { sessions } = await client.sessions.list({ limit: assistant_id ? 200 : 1 })
  const last = sessions.find((one) => !assistant_id || one.assistant_id === assistant_id)
  if (last === undefined) throw new Error(words.noLast[lang])
  return last
}

interface Approving extends AsyncDisposable {
  begin(): Promise<unknown>
}

/**
 * What the session says of approvals is as asked while the run lasts, and then as it was. Undefined
 * where it says so already.
 */
function approveAs(
  { approve }: RunRequest,
  { session_id, auto_approve: before = false }: SessionInfo,
  client: Client,
): Approving | undefined {
  const auto_approve = approve === 'auto'
  if (auto_approve === before) return undefined
  return {
    begin: () => client.sessions.update(session_id, { auto_approve }),
    async [Symbol.asyncDispose]() {
      await client.sessions.update(session_id, { auto_approve: before }).catch(() => {})
    },
  }
}

interface Ending {
  status: RunResult['status']
  error?: string | undefined
  error_code?: string | undefined
}

interface How {
  stops: Stops
  hasDenied: boolean
  request: RunRequest
  context: ProgramContext
}

function endingOf(tally: Tally, { stops, hasDenied, request, context }: How): Ending {
  const { lang } = context
  if (stops.signal.aborted && (tally.isCancelled || !tally.isDone))
    return stopped(stops, request, context)
  const error = tally.error()
  if (error) return { status: 'error', error: error.error, error_code: error.error_code }
  if (hasDenied || (tally.isCancelled && tally.isRejected))
    return { status: 'rejected', error: words.rejected[lang] }
  return tally.isCancelled
    ? { status: 'cancelled', error: words.cancelled[lang] }
    : { status: 'ok' }
}

function stopped(
  stops: Stops,
  { timeoutSeconds = 0 }: RunRequest,
  { lang }: ProgramContext,
): Ending {
  const status = stops.reason() ?? 'cancelled'
  const why = status === 'timeout' ? words.timeout(timeoutSeconds) : words.cancelled
  return { status, error: why[lang] }
}

function failed(error: unknown): Ending {
  const { message, error_code } = Object(error)
  return { status: 'error', error: String(message ?? error), error_code }
}

const toJsonLine = (value: unknown) => `${toSafeJson(JSON.stringify(value))}\n`

function print({ result, cited }: Ended, request: RunRequest, context: ProgramContext): void {
  const { stdout, warn, readerGone } = context
  if (readerGone.aborted) return
  if (result.error !== undefined) warn(toPlainLine(result.error))
  if (request.output === 'json') stdout.write(toJsonLine(result))
  if (request.output !== 'text' || result.answer === '') return
  const answer = toPlain(result.answer)
  stdout.write(answer.endsWith('\n') ? answer : `${answer}\n`)
  for (const table of toTables(cited, context)) stdout.write(`\n${table}\n`)
}
