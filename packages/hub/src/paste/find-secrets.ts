import { isPlainObject } from '@dataagent/schema'
import type { PasteSecret } from './contract.ts'

/** What the names of secrets hold: as a word of its own, or anywhere. */
const secretWords = new RegExp(
  [
    '(^|[_.-])(api_?key|key|pat|pass|pwd|auth|dsn|cookie|bearer)([_.-]|$)',
    ...['token', 'secret', 'passw', 'credential', 'authorization', 'apikey', 'private_?key'],
    ...['access_?key', 'connection_?string', 'database_?url'],
  ].join('|'),
  'i',
)

/** How the keys of well-known services begin. */
const secretBeginnings = new RegExp(
  `^(${[
    ...['(Bearer|Basic|Token) \\S', 'sk[-_]', '[pr]k_(live|test)_', 'gh[pousr]_', 'github_pat_'],
    ...['glpat-', 'xox[abeoprs]-', 'AKIA', 'ASIA', 'AIza', 'ya29\\.', 'eyJ[\\w-]{8,}\\.', 'hf_'],
    ...['npm_', 'dop_v1_', 'shp(at|ss)_', 'SG\\.', 'pypi-', '-----BEGIN '],
  ].join('|')})`,
)

const passwordInUrl = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^/@\s:]{0,200}:[^/@\s]{1,500}@/i

/** Values longer than this are judged by their beginning. */
const looksAt = 1024

/** Every value of a configuration that is a secret, or has still to be filled in. */
export function findSecrets(config: Record<string, unknown>): PasteSecret[] {
  return [
    ...inRecord('env', config.env),
    ...inRecord('headers', config.headers),
    ...inArgs(config.args),
    ...inCommand(config),
    ...inUrl(config.url),
    ...(typeof config.proxy === 'string' ? [judge('proxy', 'proxy', config.proxy)] : []),
  ].filter((found) => found !== undefined)
}

/** Whether `value`, under a name, looks like a secret. */
export function isSecret(name: string, value: string): boolean {
  const seen = value.slice(0, looksAt)
  if (/^(\d+|true|false|yes|no|on|off)$/i.test(seen)) return false
  return secretWords.test(name.slice(0, looksAt)) || looksSecret(seen)
}

/** Whether `value` stands for one that is still to be given. */
export function isPlaceholder(value: string): boolean {
  const seen = value.slice(0, looksAt).replace(/^(Bearer|Basic|Token)\s+/i, '')
  if (/^<[^<>]*>$|\$\{[^{}]*\}|\{\{[^{}]*\}\}|^\$[A-Z_][A-Z0-9_]*$|^%[A-Z_]\w*%$/.test(seen))
    return true
  if (
    /^\[[^[\]]*\]$|^(x{3,}|X{3,}|\*{3,}|\.{3,}|…)$|[-_](x{4,}|X{4,}|\*{3,})$|(\.{3}|…)$/.test(seen)
  )
    return true
  if (/^(change|replace)[-_ ]?(me|it|this|with)/i.test(seen)) return true
  return /(?:^|[^a-z])(?:your|insert|enter|put)(?:[-_ ]|api|key|token|secret|pass)/i.test(seen)
}

function judge(path: string, name: string, value: string): PasteSecret | undefined {
  if (isPlaceholder(value)) return { path, kind: 'needed' }
  if (!isSecret(name, value) && name !== 'proxy') return undefined
  return { path, kind: value === '' ? 'needed' : 'given' }
}

function inRecord(field: string, values: unknown): (PasteSecret | undefined)[] {
  if (!isPlainObject(values)) return []
  return Object.entries(values).map(([name, value]) =>
    typeof value === 'string' ? judge(toPath(field, name), name, value) : undefined,
  )
}

function toPath(field: string, name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${field}.${name}` : `${field}[${JSON.stringify(name)}]`
}

/** An argument is named by itself (`--key=…`, `KEY=…`, `Key: …`) or by the one before it. */
function inArgs(args: unknown): (PasteSecret | undefined)[] {
  if (!Array.isArray(args)) return []
  return args.map((arg, at) => {
    if (typeof arg !== 'string') return undefined
    const [, name = '', value = arg] = /^([\w.-]{1,100})(?:=|: )(.*)$/s.exec(arg) ?? []
    const before = at > 0 && /^-/.test(String(args[at - 1])) ? String(args[at - 1]) : ''
    if (/^-/.test(arg) && name === '') return undefined
    return judge(`args[${at}]`, name || before, value)
  })
}

function inCommand({ command }: Record<string, unknown>): PasteSecret[] {
  const isOpen = typeof command === 'string' && isPlaceholder(command)
  return isOpen ? [{ path: 'command', kind: 'needed' }] : []
}

function inUrl(url: unknown): PasteSecret[] {
  if (typeof url !== 'string') return []
  const query = URL.parse(url)?.searchParams ?? []
  const found = [...query].flatMap(([name, value]) => judge('url', name, value) ?? [])
  const isOpen = isPlaceholder(url) || /<[^<>]*>|%3C[^%]*%3E/i.test(url)
  if (isOpen || found.some(({ kind }) => kind === 'needed'))
    return [{ path: 'url', kind: 'needed' }]
  return found.slice(0, 1)
}

function looksSecret(value: string): boolean {
  if (secretBeginnings.test(value) || passwordInUrl.test(value)) return true
  return /^[A-Za-z0-9+/_=-]{24,}$/.test(value) && isMixed(value)
}

/** Letters and digits in a mix that no word, date or version has. */
function isMixed(value: string): boolean {
  const digits = value.replaceAll(/\D/g, '').length
  const isPlain = value.split(/[-_/=+]/).every((part) => /^([A-Za-z]*|\d*|v\d+)$/.test(part))
  const kinds = new Set(value.slice(0, 64)).size
  return !isPlain && !value.startsWith('/') && digits >= value.length / 10 && kinds >= 12
}
