import type { McpError, McpErrorKind } from '@dataagent/mcp'
import type { ServerFault } from '@dataagent/schema'

/** Why a server cannot be used, and what its owner can do about it. */
export function toWords(error: McpError): string {
  const advice = adviceFor(error)
  const told = error.message.replace(/^mcp: /, '')
  return advice === undefined ? told : `${told.replace(/[.:;,]?$/, '.')} ${advice}`
}

function adviceFor({ kind, code, statusCode }: McpError): string | undefined {
  if (code === 'egress_denied') return 'Ask an administrator to allow the address.'
  switch (kind) {
    case 'http':
      return adviceForStatus(statusCode)
    case 'sign_in':
      return 'Sign in to the server, then connect again.'
    case 'network':
      return 'Check the address, and that the server runs and can be reached from here.'
    case 'timeout':
      return 'Check that the server answers, or raise its timeout.'
    case 'start':
      return 'Check the command, its arguments and its environment.'
    case 'closed':
      return 'Look at what the server has logged.'
    case 'protocol':
      return 'Check that the address or the command is that of an MCP server.'
    default:
      return undefined
  }
}

function adviceForStatus(status = 0): string | undefined {
  if (status === 401 || status === 403) return 'Check the credentials in its headers.'
  if (status === 404) return 'Check the path of its URL.'
  return status >= 500 ? 'Look at what the server has logged.' : undefined
}

const faults: Partial<Record<McpErrorKind, ServerFault>> = {
  sign_in: 'sign_in',
  network: 'unreachable',
  timeout: 'timeout',
  start: 'start',
  closed: 'closed',
  session_lost: 'closed',
  protocol: 'protocol',
  rpc: 'protocol',
}

/** Why a server cannot be used, for programs. */
export function toFault({ kind, code, statusCode = 0 }: McpError): ServerFault {
  if (code === 'egress_denied') return 'address_denied'
  if (kind !== 'http') return faults[kind] ?? 'other'
  if (statusCode === 401 || statusCode === 403) return 'credentials'
  if (statusCode === 404) return 'not_found'
  return statusCode >= 500 ? 'server_error' : 'other'
}
