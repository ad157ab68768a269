import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { traceRun } from './proof.mjs'

/**
 * Tests that must exist under these very names (C7.1), by the package that brings them; due as soon
 * as that package exists.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const namedCases = {
  'packages/mcp': [
    'TestTool_RawJSONSchema_Overrides_Parameters',
    'TestTool_RawJSONSchema_Nil_Fallback',
    'TestJSONRPCRequest_Marshal',
    'TestJSONRPCResponse_Unmarshal',
    'TestJSONRPCResponse_Error',
    'TestMCPClient_Initialize',
    'TestMCPClient_ListTools_WrappedFormat',
    'TestMCPClient_ListTools_BareArray',
    'TestMCPClient_ListTools_EmptyArray',
    'TestMCPClient_CallTool_Success',
    'TestConvertMCPTools_Basic',
    'TestConvertMCPTools_RawSchemaPreserved',
    'TestConvertMCPTools_ExtractParams',
    'TestConvertMCPTools_Required',
    'TestConvertMCPTools_AllowedFilter',
    'TestConvertMCPTools_BlockedFilter',
    'TestConvertMCPTools_MaxTools',
    'TestMCPResultToCallResult',
    'TestMCPManager_AddServer',
    'TestMCPManager_RemoveServer',
    'TestMCPManager_InjectTools',
    'TestMCPManager_InjectTools_Idempotent',
    'TestMCPManager_RemoveTools_Precise',
    'TestMCPManager_CallTool_E2E',
    'TestMCPManager_MultiServer',
    'TestMCPManager_ToolNameConflict',
    'TestMCPManager_RefreshTools',
    'TestMCPManager_DisconnectAll',
    'TestMCPManager_ServerNotFound',
    'TestMCPManager_CallTool_Timeout',
    'TestMCPManager_CallTool_Cancel',
    'TestMCPManager_CallTool_Retry',
    'TestMatchToolFilter_Wildcard',
    'TestHTTPTransport_NonOK_StatusCode',
    'TestStdioTransport_Call',
    'TestStdioTransport_ProcessExit',
    'TestStdioTransport_StartupTimeout',
    'TestStdioTransport_StderrNoise',
    'TestStdioTransport_LargeResponse',
    'TestStdioTransport_CancelNoLeak',
  ],
  'packages/core': ['TestAgentLoop_MCPTool_Selected', 'TestAgentLoop_MixedTools'],
}

/**
 * Which named cases a whole test run does not show: those that no test of their package carries,
 * and those of which a test was skipped or failed.
 */
export function findCaseFaults(
  /** @type {string} */ root,
  /** @type {import('./proof.mjs').TestRun} */ run,
) {
  const due = Object.entries(namedCases).filter(([dir]) => existsSync(join(root, dir)))
  return due.flatMap(([dir, names]) => {
    const testResults = run.testResults.filter(({ name }) => isIn(root, dir, name))
    const ledger = { ids: [], cases: [...names], disagreements: [] }
    const { items } = traceRun(ledger, { ...run, testResults })
    return items.flatMap((item) => faultsOf(item, dir))
  })
}

function isIn(/** @type {string} */ root, /** @type {string} */ dir, /** @type {string} */ file) {
  return relative(join(root, dir), resolve(root, file)).split(/[\\/]/)[0] !== '..'
}

function faultsOf(
  /** @type {import('./proof.mjs').Item} */ { id, passed, other },
  /** @type {string} */ dir,
) {
  if (passed.length + other.length === 0) return [`${id}: no test of ${dir} carries this name`]
  return other.map((title) => `${id}: did not pass: ${title}`)
}
