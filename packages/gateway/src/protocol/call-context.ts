import type { CallContext } from '@dataagent/hub'
import type { ServerNotice, TraceContext } from '@dataagent/mcp'
import type { Caller, Exchange, RpcRequest } from './contract.ts'
import { isLogLevel, isLogWanted } from './log-levels.ts'
import { metaOf } from './meta-of.ts'
import { type AskedQuestions, createQuestions } from './questions.ts'

/** How the hub is asked for a request of a client. */
export function toCallContext(
  caller: Caller,
  { params }: RpcRequest,
  { exchange, holdMs }: { exchange: Exchange; holdMs: number },
): CallContext {
  const meta = metaOf(params)
  const { progressToken } = meta
  const trace = toTrace(meta)
  const { questions, hasAsked } = createQuestions(exchange)
  const { logLevel, capabilities } = exchange
  const isTold = logLevel !== undefined || capabilities.elicitation?.url !== undefined
  const wantsProgress = typeof progressToken === 'string' || typeof progressToken === 'number'
  const tell = (progress: object) =>
    exchange.notify('notifications/progress', { progressToken, ...progress })
  return {
    principal: caller.principal,
    source: 'gateway',
    signal: exchange.signal,
    approver: { kind: 'hold', holdMs },
    questions,
    asker: exchange.asker ?? caller.owner_key,
    ...(isTold && { onNotice: (notice) => passOn(notice, exchange, hasAsked) }),
    ...(logLevel !== undefined && { logLevel: isLogLevel(logLevel) ? logLevel : 'debug' }),
    ...(trace !== undefined && { trace }),
    ...(wantsProgress && {
      onProgress: tell,
      emit: ({ event_type }) => {
        if (event_type === 'hitl_request') tell({ progress: 0, message: waitingText })
      },
    }),
  }
}

const waitingText = 'Waiting for a person to approve this call.'

function passOn(
  notice: ServerNotice,
  exchange: Exchange,
  hasAsked: AskedQuestions['hasAsked'],
): void {
  if (notice.kind === 'elicitation_complete' && hasAsked(notice.elicitationId)) {
    const { elicitationId } = notice
    exchange.notify('notifications/elicitation/complete', { elicitationId })
  }
  if (notice.kind !== 'log' || !isLogWanted(notice.level, exchange.logLevel)) return
  const { level, logger, data } = notice
  exchange.notify('notifications/message', { level, ...(logger && { logger }), data })
}

/** W3C trace context, as MCP carries it in `_meta`. */
function toTrace({ traceparent, tracestate, baggage }: Record<string, unknown>) {
  if (typeof traceparent !== 'string' || !isTraceparent.test(traceparent)) return undefined
  const trace: TraceContext = { traceparent }
  if (typeof tracestate === 'string') trace.tracestate = tracestate
  if (typeof baggage === 'string') trace.baggage = baggage
  return trace
}

const isTraceparent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
