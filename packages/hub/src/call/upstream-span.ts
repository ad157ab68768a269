import { type CallToolResult, isMcpError } from '@dataagent/mcp'
import { isAppError } from '@dataagent/schema'
import type { RegisteredServer } from '../servers/index.ts'
import type { Span, Tracer } from '../tracing/index.ts'
import type { Upstreams } from '../upstreams/index.ts'
import type { Admitted } from './underway.ts'

interface SpanMeans {
  tracer: Pick<Tracer, 'start'>
  asksMethods?: boolean | undefined
}

interface Sent {
  admitted: Admitted
  server: RegisteredServer
}

/**
 * What goes to a server, with all its attempts, as a client's span: the server is told this one as
 * its parent. Rejects as `send` does.
 */
export async function inUpstreamSpan(
  { tracer, asksMethods }: SpanMeans,
  { admitted, server }: Sent,
  send: (span: Span) => ReturnType<Upstreams['call']>,
): Promise<CallToolResult> {
  const { name } = admitted.entry.tool
  const { transport } = server.config
  const span = tracer.start(asksMethods ? name : `tools/call ${name}`, {
    kind: 'client',
    parent: admitted.span.context,
    attributes: {
      'mcp.method.name': asksMethods ? name : 'tools/call',
      'gen_ai.tool.name': asksMethods ? undefined : name,
      'network.transport': transport === 'stdio' ? 'pipe' : 'tcp',
      'dataagent.server_id': server.server_id,
      'dataagent.transport': transport,
    },
  })
  try {
    const { result, attempts } = await send(span)
    span.set({ 'dataagent.attempts': attempts })
    span.end(result.isError === true ? { error: toldError } : {})
    return result
  } catch (error) {
    span.set(toFailed(error))
    span.end({ error: { type: toType(error), message: 'the server gave no result' } })
    throw error
  }
}

/** As OpenTelemetry's conventions for MCP call it. What the tool says may be anything. */
const toldError = { type: 'tool_error', message: 'the tool reported an error' }

function toFailed(error: unknown) {
  if (!isMcpError(error)) return {}
  const { attempts } = error.data ?? {}
  return {
    'dataagent.attempts': typeof attempts === 'number' ? attempts : undefined,
    'rpc.response.status_code': error.rpc && String(error.rpc.code),
    'http.response.status_code': error.statusCode,
  }
}

function toType(error: unknown): string {
  if (isMcpError(error)) return error.kind
  return isAppError(error) ? error.code : 'internal'
}
