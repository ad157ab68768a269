import type { Clock } from '@dataagent/guard'
import { type CallToolResult, McpError, type ServerQuestions } from '@dataagent/mcp'
import { AppError } from '@dataagent/schema'
import type { CallContext } from '../call-context.ts'
import type { OwnTool } from '../define-tool/index.ts'
import type { RegisteredServer } from '../servers/index.ts'
import type { Span, Tracer } from '../tracing/index.ts'
import type { Upstreams } from '../upstreams/index.ts'
import { type AdmitMeans, admitAgain, isEnding } from './admit.ts'
import type { CallSettings } from './contract.ts'
import { nameQuestions } from './name-questions.ts'
import { rulesOf } from './server-rules.ts'
import type { Admitted, Ending } from './underway.ts'
import { inUpstreamSpan } from './upstream-span.ts'

export interface ExecuteMeans extends AdmitMeans {
  upstreams: Pick<Upstreams, 'call'>
  clock: Clock
  settings: CallSettings
  tracer: Pick<Tracer, 'start'>
  /** Whether methods of servers are asked, which are no tools. */
  asksMethods?: boolean | undefined
}

/** How a server's questions are put to the caller. */
export type Ask = (questions: ServerQuestions, by: RegisteredServer) => ServerQuestions

/** What is about to be run. */
export interface Execution {
  deadlineMs: number
  idempotent: boolean
  /** Whether what it gives comes from a place that nobody vouches for. */
  untrusted: boolean
  /** Set where the call was no longer admitted when it was about to be sent. */
  refused?: Ending
  run(ask: Ask): Promise<CallToolResult>
}

const ownTimeoutDefault = 30_000

/** Undefined where the server was removed a moment ago. */
export function prepare(means: ExecuteMeans, admitted: Admitted): Execution | undefined {
  const { entry } = admitted
  if (entry.own) return prepareOwn(means, admitted, entry.own)
  const server = means.servers.get(entry.tool.tenant_id, entry.tool.server_id)
  return server && prepareUpstream(means, admitted, server)
}

function prepareOwn(means: ExecuteMeans, admitted: Admitted, own: OwnTool): Execution {
  const limit = own.timeoutMs ?? means.settings.ownTimeoutMs ?? ownTimeoutDefault
  const deadlineMs = shorten(limit, admitted)
  const { untrusted, idempotent } = own
  const { principal, session_id, run, emit, signal: outer } = admitted.context
  const { tool_call_id } = admitted.call
  const { call_id } = admitted.record
  const trace = admitted.span.context
  const execution: Execution = {
    ...{ deadlineMs, idempotent, untrusted },
    async run() {
      check(means, admitted, execution)
      return withDeadline(means.clock, deadlineMs, outer, (signal) =>
        own.run(admitted.args, {
          ...{ principal, session_id, run, emit, signal, call_id, tool_call_id, trace },
        }),
      )
    },
  }
  return execution
}

function prepareUpstream(
  means: ExecuteMeans,
  admitted: Admitted,
  server: RegisteredServer,
): Execution {
  const { context, record, args, entry } = admitted
  const { config } = server
  const { tool } = entry
  const deadlineMs = shorten(rulesOf(config).timeoutMs(tool.name), admitted)
  const idempotent = isIdempotent(server, admitted)
  const execution: Execution = {
    ...{ deadlineMs, idempotent, untrusted: isUntrusted(server, admitted) },
    run: (ask) => inUpstreamSpan(means, { admitted, server }, (span) => send(ask, span)),
  }
  return execution

  async function send(ask: Ask, span: Span) {
    const user_id = config.credentials === 'user' ? context.principal.user_id : server.user_id
    const { tenant_id, server_id } = server
    const { signal, onProgress, onNotice, logLevel } = context
    const label = config.alias ?? config.name
    const questions = context.questions && nameQuestions(ask(context.questions, server), label)
    const key = { tenant_id, server_id, user_id }
    const caller = toCaller(context)
    const told = { onProgress, onNotice, logLevel }
    const options = { signal, ...told, questions, caller, trace: span.context }
    const { maxRetries } = config
    const sent = { tool: tool.name, args, deadlineMs, idempotent, maxRetries, options }
    const answer = await means.upstreams.call(key, {
      ...sent,
      check: () => check(means, admitted, execution),
    })
    record.attempts = answer.attempts
    return answer
  }
}

/**
 * Who is asked what a server asks: a user's session or client alone, where it is known. Undefined
 * where nobody is, for others may call as the same principal.
 */
function toCaller({ principal, asker, session_id }: CallContext): string | undefined {
  const { tenant_id, user_id } = principal
  const at = asker ?? session_id
  if (user_id === null && at === undefined) return undefined
  return [tenant_id, user_id ?? '', at ?? ''].join(' ')
}

/** While it waited for its turn, what is to run may have been withdrawn or changed. */
function check(means: ExecuteMeans, admitted: Admitted, execution: Execution): void {
  const again = admitAgain(means, admitted)
  if (!isEnding(again)) return
  execution.refused = again
  throw new AppError('conflict', 'the call is no longer admitted')
}

function shorten(limitMs: number, { call }: Admitted): number {
  const asked = call.timeout_ms
  return asked === undefined || asked <= 0 ? limitMs : Math.min(asked, limitMs)
}

/** By configuration, or by the word of a server that an administrator vouches for. */
function isIdempotent({ config, user_id }: RegisteredServer, { entry }: Admitted): boolean {
  const { name, definition } = entry.tool
  const { idempotentHint, readOnlyHint } = definition.annotations ?? {}
  const isVouchedFor = user_id === null
  if (isVouchedFor && (idempotentHint === true || readOnlyHint === true)) return true
  return rulesOf(config).isIdempotent(name)
}

/** MCP has it that a tool which does not say reaches an open world. */
function isUntrusted({ config, user_id }: RegisteredServer, { entry }: Admitted): boolean {
  if (user_id !== null) return true
  return !config.trustedOutput && entry.tool.definition.annotations?.openWorldHint !== false
}

/**
 * Runs `work` until it ends, its time is over or its caller leaves. Then its signal aborts, and
 * what it still gives is dropped.
 */
async function withDeadline<T>(
  clock: Clock,
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (outer?.aborted) throw endedError('cancelled', 'the call was cancelled')
  const inner = new AbortController()
  const ended = Promise.withResolvers<never>()
  const end = (error: McpError) => {
    ended.reject(error)
    inner.abort(error)
  }
  const onAbort = () => end(endedError('cancelled', 'the call was cancelled'))
  const cancelTimer = clock.after(ms, () => end(endedError('timeout', `no answer in ${ms} ms`)))
  outer?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(inner.signal), ended.promise])
  } finally {
    cancelTimer()
    outer?.removeEventListener('abort', onAbort)
  }
}

function endedError(kind: 'cancelled' | 'timeout', message: string): McpError {
  return new McpError({ kind, code: kind, message, mayHaveRun: true })
}
