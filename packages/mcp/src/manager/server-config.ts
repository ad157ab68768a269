import { isPlainObject } from '@dataagent/schema/base'
import { McpError } from '../errors.ts'
import type { HostedServerConfig } from './contract.ts'
import { nearName } from './near-name.ts'

const defaultTimeout = 30
const defaultRetries = 3
const transports: readonly unknown[] = ['stdio', 'http', 'sse']

/** The time that a start or a call may take. */
export function timeoutMsOf({ timeout = 0 }: HostedServerConfig): number {
  return (timeout > 0 ? timeout : defaultTimeout) * 1_000
}

/** How often a call is tried again. */
export function maxRetriesOf({ maxRetries = defaultRetries }: HostedServerConfig): number {
  return maxRetries
}

type Field = keyof HostedServerConfig
type Rule = [isGood: (value: unknown) => boolean, expected: string]

const textList: Rule = [isTextList, 'a list of texts']
const textRecord: Rule = [isTextRecord, 'an object of texts']
const count: Rule = [isCount, 'a whole number, at least 0']

const rules: Record<Exclude<Field, 'transport'>, Rule> = {
  name: [isFilled, 'a name'],
  command: [isFilled, 'the program to start'],
  args: textList,
  env: textRecord,
  cwd: [isFilled, 'a folder'],
  sandbox: [isPlainObject, 'an object'],
  url: [isHttpUrl, 'an http or https URL'],
  headers: textRecord,
  proxy: [isHttpUrl, 'an http or https URL'],
  timeout: [Number.isFinite, 'a number of seconds'],
  maxRetries: count,
  allowedTools: textList,
  blockedTools: textList,
  idempotentTools: textList,
  maxTools: count,
  maxMessageBytes: [(value) => isCount(value) && value !== 0, 'a whole number, at least 1'],
}

/**
 * Throws `config`, naming the field, when a configuration cannot be used. With a transport of the
 * host's own it need not say how the server is reached. Values are not told: they may be secrets.
 */
export function checkServerConfig(
  config: HostedServerConfig,
  { hasOwnTransport }: { hasOwnTransport: boolean },
): void {
  checkFieldNames(config)
  if (!hasOwnTransport || config.transport !== undefined) checkTransport(config)
  const required = new Set<string>(['name', ...(hasOwnTransport ? [] : [wayIn(config)])])
  for (const [field, [isGood, expected]] of Object.entries(rules)) {
    const value = config[field as Field]
    if (value === undefined && !required.has(field)) continue
    if (!isGood(value)) throw configError(config.name, field, `expected ${expected}`)
  }
}

/** A slip in the name of a filter must not open what it was to close. */
function checkFieldNames(config: HostedServerConfig): void {
  const known = ['transport', ...Object.keys(rules)]
  for (const [field, value] of Object.entries(config)) {
    if (value === undefined || known.includes(field)) continue
    const near = nearName(field, known)
    const hint = near === undefined ? '' : `, did you mean ${near}?`
    throw configError(config.name, field, `unknown${hint}`)
  }
}

function checkTransport({ name, transport }: HostedServerConfig): void {
  if (transports.includes(transport)) return
  if (transport === undefined)
    throw configError(name, 'transport', 'missing, expected stdio, http or sse')
  const told = `"${transport}" is not supported, only ${transports.join(', ')}`
  throw configError(name, 'transport', told)
}

/** The field without which the server cannot be reached. */
function wayIn({ transport }: HostedServerConfig): Field {
  return transport === 'stdio' ? 'command' : 'url'
}

/** Throws `config` for a template that would give all tools of a server one name. */
export function checkToolPrefix(template: string): string {
  if (template.includes('{tool}')) return template
  const message = 'mcp: toolPrefix: expected a template with {tool}'
  throw new McpError({ kind: 'config', code: 'config_invalid', message })
}

function configError(server: unknown, field: string, told: string): McpError {
  const message = `mcp: server ${JSON.stringify(server)}: ${field}: ${told}`
  const data = { server, field }
  return new McpError({ kind: 'config', code: 'config_invalid', message, data })
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function isTextRecord(value: unknown): boolean {
  return isPlainObject(value) && isTextList(Object.values(value))
}

function isHttpUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')
}
