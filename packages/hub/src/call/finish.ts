import type { Clock, Masker } from '@dataagent/guard'
import type { RpcFault } from '@dataagent/mcp'
import type { Audit } from '../audit/index.ts'
import { toCanonicalJson } from '../canonical-json.ts'
import type { HubMetrics } from '../metrics/index.ts'
import type { ToolFault, ToolOutcome } from '../outcome.ts'
import { toCallAttributes, toMethodAttributes } from '../tracing/index.ts'
import type { CallSettings } from './contract.ts'
import type { Ending, Underway } from './underway.ts'

export interface FinishMeans {
  audit: Pick<Audit, 'record'>
  metrics: Pick<HubMetrics, 'callEnded'>
  masker: Masker
  clock: Clock
  settings: CallSettings
  /** Whether methods of servers are asked, which are no tools. */
  asksMethods?: boolean | undefined
}

/** Closes the record, the span and the counters, and gives the caller its outcome. */
export function finish(means: FinishMeans, underway: Underway, ending: Ending): ToolOutcome {
  const { record, span, begun } = underway
  const { clock, masker } = means
  const error = 'error' in ending ? toRecorded(masker, ending.error) : undefined
  const duration_ms = Math.round(clock.monotonic() - begun)
  record.ended_at = clock.now()
  record.duration_ms = duration_ms
  record.status = ending.status === 'failed' ? 'error' : ending.status
  if (error) record.error = JSON.stringify(error)
  const { recordArgs, traceArgs } = means.settings
  const values = recordArgs || traceArgs ? toValues(masker, underway, ending) : {}
  if (recordArgs) Object.assign(record, values)
  means.audit.record(record)
  means.metrics.callEnded({
    server_id: record.server_id,
    status: record.status,
    seconds: duration_ms / 1000,
  })
  const toAttributes = means.asksMethods ? toMethodAttributes : toCallAttributes
  span.set(() => toAttributes({ ...record, ...values }))
  span.end({
    name: toSpanName(means, record),
    error: error && { type: error.code, message: error.message },
  })
  return toOutcome(underway, ending)
}

/** After OpenTelemetry's conventions for tools, and for methods of MCP. */
export function toSpanName(
  { asksMethods }: Pick<FinishMeans, 'asksMethods'>,
  { tool_name }: Pick<Underway['record'], 'tool_name'>,
): string {
  return asksMethods ? tool_name : `execute_tool ${tool_name}`
}

const rpcWordsMax = 2_048

/** Only what others have worded can hold a secret. */
function toRecorded(masker: Masker, fault: ToolFault): ToolFault {
  const { rpc, ...rest } = fault
  const message = masker.maskText(fault.message)
  return { ...rest, message, ...(rpc && { rpc: toRecordedRpc(masker, rpc) }) }
}

/** Its message is a part of the fault's, and its data may be of any size. */
function toRecordedRpc(masker: Masker, { code, message }: RpcFault): RpcFault {
  return { code, message: masker.maskText(message).slice(0, rpcWordsMax) }
}

function toValues(masker: Masker, { args }: Underway, ending: Ending): Values {
  const result = 'result' in ending ? ending.result : undefined
  return {
    args: toCanonicalJson(masker.mask(args)),
    ...(result && { result: toCanonicalJson(masker.mask(result.raw)) }),
  }
}

type Values = Partial<Pick<Underway['record'], 'args' | 'result'>>

function toOutcome(underway: Underway, ending: Ending): ToolOutcome {
  const { call_id, trace_id, duration_ms } = underway.record
  const error = 'error' in ending ? ending.error : undefined
  const base = { call_id, trace_id, duration_ms, ...toCalledTool(underway, error) }
  if (ending.status === 'ok') return { ...base, status: 'ok', result: ending.result }
  if (ending.status !== 'failed') return { ...base, status: ending.status, error: ending.error }
  const { result } = ending
  return { ...base, status: 'failed', error: ending.error, ...(result && { result }) }
}

/** Nothing of a tool that the caller may not know of. */
function toCalledTool({ record }: Underway, error: ToolFault | undefined) {
  const { server_id, tool_name, schema_version, definition_hash } = record
  if (error?.code === 'tool_not_allowed') return {}
  if (server_id === null || schema_version === null || definition_hash === null) return {}
  const tool = { server_id, name: tool_name, version: schema_version, hash: definition_hash }
  return { tool }
}
