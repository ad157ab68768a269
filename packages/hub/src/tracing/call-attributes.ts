import { isPlainObject, readJson } from '@dataagent/schema'
import type { CallRecord } from '../audit/index.ts'
import type { Attributes } from './contract.ts'

/**
 * The attributes of a tool call's span; what the record does not know is left out. Names outside
 * `dataagent.` are those of OpenTelemetry's conventions for generative AI and MCP, which are in
 * development.
 */
export function toCallAttributes(record: CallRecord): Attributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': record.tool_name,
    'gen_ai.tool.call.id': record.call_id,
    'gen_ai.tool.call.arguments': record.args ?? undefined,
    'gen_ai.tool.call.result': record.result ?? undefined,
    'gen_ai.agent.id': record.agent_id ?? undefined,
    'gen_ai.conversation.id': record.session_id ?? undefined,
    'session.id': record.session_id ?? undefined,
    'user.id': record.user_id ?? undefined,
    'error.type': record.status === 'ok' ? undefined : toErrorType(record),
    'dataagent.tenant_id': record.tenant_id,
    'dataagent.server_id': record.server_id ?? undefined,
    'dataagent.source': record.source,
    'dataagent.run_id': record.run_id ?? undefined,
    'dataagent.api_key_id': record.api_key ?? undefined,
    'dataagent.group_id': record.group_id ?? undefined,
    'dataagent.status': record.status,
    'dataagent.error': record.error ?? undefined,
    'dataagent.schema_version': record.schema_version ?? undefined,
    'dataagent.definition_hash': record.definition_hash ?? undefined,
    'dataagent.policy_revision': record.policy_revision,
    'dataagent.decided_by': record.decided_by ?? undefined,
    'dataagent.input_validation': record.input_validation,
    'dataagent.output_validation': record.output_validation,
    'dataagent.approval_id': record.approval_id ?? undefined,
    'dataagent.attempts': record.attempts,
    'dataagent.args_digest': record.args_digest ?? undefined,
  }
}

/** The same where what was asked is a method of a server, such as `resources/read`, and no tool. */
export function toMethodAttributes(record: CallRecord): Attributes {
  return {
    ...toCallAttributes(record),
    'gen_ai.operation.name': undefined,
    'gen_ai.tool.name': undefined,
    'mcp.method.name': record.tool_name,
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
