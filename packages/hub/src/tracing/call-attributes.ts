import { isPlainObject, readJson } from '@dataagent/schema'
import type { CallRecord } from '../audit/index.ts'
import type { Attributes } from './contract.ts'

/**
 * The attributes of a tool call's span. Names outside `dataagent.` are those of OpenTelemetry's
 * conventions for generative AI and MCP, which are in development.
 */
const callAttributes = {
  operation: 'gen_ai.operation.name',
  tool_name: 'gen_ai.tool.name',
  call_id: 'gen_ai.tool.call.id',
  args: 'gen_ai.tool.call.arguments',
  result: 'gen_ai.tool.call.result',
  agent_id: 'gen_ai.agent.id',
  conversation: 'gen_ai.conversation.id',
  method: 'mcp.method.name',
  session_id: 'session.id',
  user_id: 'user.id',
  error_type: 'error.type',
  tenant_id: 'dataagent.tenant_id',
  server_id: 'dataagent.server_id',
  source: 'dataagent.source',
  run_id: 'dataagent.run_id',
  api_key: 'dataagent.api_key_id',
  group_id: 'dataagent.group_id',
  status: 'dataagent.status',
  error: 'dataagent.error',
  schema_version: 'dataagent.schema_version',
  definition_hash: 'dataagent.definition_hash',
  policy_revision: 'dataagent.policy_revision',
  decided_by: 'dataagent.decided_by',
  input_validation: 'dataagent.input_validation',
  output_validation: 'dataagent.output_validation',
  approval_id: 'dataagent.approval_id',
  attempts: 'dataagent.attempts',
  args_digest: 'dataagent.args_digest',
} as const

/** A call as its span tells it; what the record does not know is left out. */
export function toCallAttributes(record: CallRecord): Attributes {
  const names = callAttributes
  return {
    [names.operation]: 'execute_tool',
    [names.method]: record.server_id === null ? undefined : 'tools/call',
    [names.tool_name]: record.tool_name,
    [names.call_id]: record.call_id,
    [names.args]: record.args ?? undefined,
    [names.result]: record.result ?? undefined,
    [names.agent_id]: record.agent_id ?? undefined,
    [names.conversation]: record.session_id ?? undefined,
    [names.session_id]: record.session_id ?? undefined,
    [names.user_id]: record.user_id ?? undefined,
    [names.error_type]: record.status === 'ok' ? undefined : toErrorType(record),
    [names.tenant_id]: record.tenant_id,
    [names.server_id]: record.server_id ?? undefined,
    [names.source]: record.source,
    [names.run_id]: record.run_id ?? undefined,
    [names.api_key]: record.api_key ?? undefined,
    [names.group_id]: record.group_id ?? undefined,
    [names.status]: record.status,
    [names.error]: record.error ?? undefined,
    [names.schema_version]: record.schema_version ?? undefined,
    [names.definition_hash]: record.definition_hash ?? undefined,
    [names.policy_revision]: record.policy_revision,
    [names.decided_by]: record.decided_by ?? undefined,
    [names.input_validation]: record.input_validation,
    [names.output_validation]: record.output_validation,
    [names.approval_id]: record.approval_id ?? undefined,
    [names.attempts]: record.attempts,
    [names.args_digest]: record.args_digest ?? undefined,
  }
}

/** The code of the fault, or the status where there is none. */
function toErrorType({ error, status }: CallRecord): string {
  try {
    const fault = error === null ? undefined : readJson(error, { what: 'fault' })
    return isPlainObject(fault) && typeof fault.code === 'string' ? fault.code : status
  } catch {
    return status
  }
}
