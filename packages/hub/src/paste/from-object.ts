import { isPlainObject } from '@dataagent/schema'
import type { Draft } from './draft.ts'
import { hasAny, nameOfCommand, splitCommand, withoutDockerSecrets } from './from-command.ts'
import { nameOfUrl, toName } from './names.ts'

/** Fields of ours that a pasted entry may have beside the way to the server. */
const ownFields = [
  ...['alias', 'description', 'trigger_keywords', 'maxRetries', 'maxTools', 'proxy', 'credentials'],
  ...['allowedTools', 'blockedTools', 'toolTimeouts', 'idempotentTools', 'approval', 'cwd'],
  ...['toolApproval', 'pinning', 'quarantine', 'healthEvery', 'disabled'],
]

/** What other products call a field of ours. */
const otherNames: Record<string, string> = {
  ...{ enabled_tools: 'allowedTools', includeTools: 'allowedTools', tools: 'allowedTools' },
  ...{ disabled_tools: 'blockedTools', excludeTools: 'blockedTools' },
  ...{ disabledTools: 'blockedTools', workingDirectory: 'cwd' },
}

const readElsewhere = new Set([
  ...['name', 'type', 'transport', 'command', 'args', 'env', 'environment', 'env_vars', 'url'],
  ...['serverUrl', 'httpUrl', 'headers', 'http_headers', 'env_http_headers', 'bearer_token'],
  ...['bearer_token_env_var', 'requestInit', 'timeout', 'tool_timeout_sec', 'enabled', 'isActive'],
  ...['startup_timeout_sec', 'startup_timeout_ms', '$schema', '_meta', 'gallery', 'version'],
])

const warningsMax = 10

/** An entry of `mcpServers`, `servers`, a TOML table: in the fields of any product we know. */
export function fromObject(entry: unknown, given?: string): Draft {
  if (!isPlainObject(entry)) {
    const name = toName(given ?? '')
    return { status: 'unusable', name, message: 'this entry is not an object' }
  }
  const source = isPlainObject(entry.transport) ? { ...entry, ...entry.transport } : entry
  const warnings: string[] = []
  const way = toUrl(source) === undefined ? toLocal(source, warnings) : toRemote(source)
  const config = { ...toOwnFields(source), ...toTimeout(source, warnings), ...way }
  if (source.enabled === false || source.isActive === false)
    Object.assign(config, { disabled: true })
  if (way.url !== undefined && source.command !== undefined) {
    warnings.push('it has a URL and a command: the URL is taken')
  }
  warnings.push(...warnOfFields(source), ...warnOfLooseness(config))
  const name = toName(given ?? textOf(source.name) ?? nameOfWay(config))
  if (given !== undefined && name !== given) warnings.push('the name was changed to fit')
  return { status: 'read', name, config: { name, ...config }, warnings }
}

function toLocal(source: Record<string, unknown>, warnings: string[]): Record<string, unknown> {
  const env = { ...toForwarded(source.env_vars), ...toTexts(source.env ?? source.environment) }
  const { command, args } = toCommand(source, warnings)
  const moved = withoutDockerSecrets({ command, args, env })
  return withoutUndefined({ transport: toTransport(source), ...moved })
}

/** The command as a list (`["npx", "-y", "x"]`), as a whole line, or with its arguments apart. */
function toCommand({ command, args }: Record<string, unknown>, warnings: string[]) {
  if (Array.isArray(command)) return { command: command[0], args: command.slice(1) }
  if (typeof command === 'string' && /\s/.test(command.trim()) && args === undefined) {
    const split = splitCommand(command)
    if (split) {
      warnings.push('the command held its arguments and was taken apart')
      return split
    }
  }
  return { command, args: Array.isArray(args) ? args.map(toText) : args }
}

function toRemote(source: Record<string, unknown>): Record<string, unknown> {
  const url = toUrl(source)
  const headers = {
    ...toTexts(source.headers ?? source.http_headers ?? toRequestHeaders(source.requestInit)),
    ...toForwardedHeaders(source.env_http_headers),
    ...toBearer(source),
  }
  const transport = toTransport(source) ?? transportOf(url)
  return withoutUndefined({ transport, url, ...(hasAny(headers) && { headers }) })
}

/** An address that ends in `/sse` is one of HTTP+SSE. */
export function transportOf(url: unknown): string | undefined {
  const path = typeof url === 'string' ? (URL.parse(url)?.pathname ?? '') : ''
  return path.replace(/\/$/, '').endsWith('/sse') ? 'sse' : undefined
}

/** Undefined where the entry does not say, or says what we do not know. */
function toTransport({ transport, type }: Record<string, unknown>): unknown {
  const said = textOf(transport) ?? textOf(type)
  if (said === undefined) return undefined
  if (/^(streamable[-_]?http|http|remote)$/i.test(said)) return 'http'
  return /^(stdio|local)$/i.test(said) ? 'stdio' : said
}

function toUrl({ url, serverUrl, httpUrl }: Record<string, unknown>): unknown {
  return url ?? serverUrl ?? httpUrl
}

function toRequestHeaders(init: unknown): unknown {
  return isPlainObject(init) ? init.headers : undefined
}

function toBearer({ bearer_token, bearer_token_env_var }: Record<string, unknown>) {
  const value = textOf(bearer_token) ?? toReference(bearer_token_env_var)
  return value === undefined ? {} : { Authorization: `Bearer ${value}` }
}

/** Names of variables that another product passes on: to be filled in here. */
function toForwarded(names: unknown): Record<string, string> {
  if (!Array.isArray(names)) return {}
  return Object.fromEntries(names.filter(isText).map((name) => [name, `\${${name}}`]))
}

function toForwardedHeaders(headers: unknown): Record<string, unknown> {
  if (!isPlainObject(headers)) return {}
  return Object.fromEntries(Object.entries(headers).map(([key, name]) => [key, toReference(name)]))
}

function toReference(name: unknown): string | undefined {
  return isText(name) ? `\${${name}}` : undefined
}

/** Numbers and truth values become the texts that they are in an environment. */
function toTexts(values: unknown): Record<string, unknown> {
  if (!isPlainObject(values)) return {}
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, toText(value)]))
}

function toText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

function toOwnFields(source: Record<string, unknown>): Record<string, unknown> {
  const own = ownFields.map((field) => [field, source[field]] as const)
  const renamed = Object.entries(otherNames).map(
    ([other, field]) => [field, source[other]] as const,
  )
  const lists = renamed.filter(([field, value]) => field === 'cwd' || isTextList(value))
  return withoutUndefined(
    Object.fromEntries([...lists, ...own].filter(([, value]) => value !== undefined)),
  )
}

const secondsMax = 1_000

/** Seconds here; several products count milliseconds. */
function toTimeout({ timeout, tool_timeout_sec }: Record<string, unknown>, warnings: string[]) {
  const seconds = tool_timeout_sec ?? timeout
  if (typeof seconds !== 'number') return {}
  if (seconds <= secondsMax) return { timeout: seconds }
  warnings.push(`the timeout of ${seconds} was taken for milliseconds`)
  return { timeout: seconds / 1000 }
}

function warnOfFields(source: Record<string, unknown>): string[] {
  const known = new Set([...ownFields, ...Object.keys(otherNames), ...readElsewhere])
  const others = Object.keys(source).filter((field) => !known.has(field))
  const told = others.slice(0, warningsMax).map((field) => toName(field))
  return told.map((field) => `the field "${field}" is not taken over`)
}

function warnOfLooseness(config: Record<string, unknown>): string[] {
  const { approval, toolApproval, pinning } = config
  const allows = isPlainObject(toolApproval) && Object.values(toolApproval).includes('allow')
  return [
    ...(approval === 'allow' || allows ? ['it lets its tools run without approval'] : []),
    ...(pinning === 'follow' ? ['it takes over changed tools without approval'] : []),
  ]
}

function nameOfWay({ command, args, url }: Record<string, unknown>): string {
  if (isText(url)) return nameOfUrl(url)
  if (!isText(command)) return 'server'
  return nameOfCommand(command, Array.isArray(args) ? args.filter(isText) : [])
}

function withoutUndefined(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText)
}

function textOf(value: unknown): string | undefined {
  return isText(value) ? value : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
