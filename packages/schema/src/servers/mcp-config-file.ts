import { AppError, isAppError } from '../errors.ts'
import { parseAs } from '../field-errors.ts'
import { isPlainObject } from '../judge-json.ts'
import { secretFrom } from '../secret.ts'
import { type ServerConfig, serverConfigSchema } from './server-config.ts'
import { commonFields, remoteFields, stdioFields } from './server-fields.ts'

/** One server of a file: its configuration, or why it cannot be used. Others are not affected. */
export type McpConfigEntry =
  | { status: 'ok'; name: string; config: ServerConfig }
  | { status: 'invalid'; name: string; error: AppError }

/**
 * Reads a parsed mcp.json: `{ servers: [{ name, command… }] }`, or as Claude Desktop and Cursor
 * write it `{ mcpServers: { name: { command… } } }`. Fields that are not ours are left out: other
 * products keep their own there.
 */
export function parseMcpConfigFile(value: unknown): McpConfigEntry[] {
  const { servers, mcpServers } = isPlainObject(value) ? value : {}
  if (Array.isArray(servers)) return servers.map(parseListed)
  if (isPlainObject(mcpServers)) return Object.entries(mcpServers).map(parseNamed)
  throw new AppError(
    'invalid_request',
    'the MCP configuration needs a list "servers" or an object "mcpServers"',
  )
}

function parseListed(entry: unknown, index: number): McpConfigEntry {
  const name = isPlainObject(entry) && typeof entry.name === 'string' ? entry.name : `#${index + 1}`
  return parseEntry(name, entry)
}

function parseNamed([name, entry]: [string, unknown]): McpConfigEntry {
  return parseEntry(name, isPlainObject(entry) ? { ...entry, name } : entry)
}

function parseEntry(name: string, entry: unknown): McpConfigEntry {
  try {
    const what = `configuration of server ${name}`
    return { status: 'ok', name, config: parseAs(serverConfigSchema, toOwnFields(entry), what) }
  } catch (error) {
    if (!isAppError(error)) throw error
    return { status: 'invalid', name, error }
  }
}

const ownFields = new Set([
  'transport',
  ...Object.keys(commonFields),
  ...Object.keys(stdioFields(secretFrom)),
  ...Object.keys(remoteFields(secretFrom)),
])

/** Other products name the transport `type`, and Streamable HTTP in several ways. */
function toOwnFields(entry: unknown): unknown {
  if (!isPlainObject(entry)) return entry
  const own = Object.fromEntries(Object.entries(entry).filter(([key]) => ownFields.has(key)))
  if (own.transport !== undefined || typeof entry.type !== 'string') return own
  const isHttp = /^streamable[-_]?http$/i.test(entry.type)
  return { ...own, transport: isHttp ? 'http' : entry.type }
}
