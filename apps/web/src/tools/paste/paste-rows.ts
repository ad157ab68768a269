import type { ImportPreview, ServerConfigInput } from '@dataagent/schema'

type Entry = ImportPreview['entries'][number]
type Usable = Extract<Entry, { status: 'new' | 'duplicate' }>
type Unusable = Extract<Entry, { status: 'invalid' }>

/** One server that was found in what was pasted, and what the person makes of it. */
export type PasteRow =
  | { kind: 'usable'; id: number; entry: Usable; isIncluded: boolean; name: string; filled: Filled }
  | { kind: 'unusable'; id: number; entry: Unusable }

export type UsableRow = Extract<PasteRow, { kind: 'usable' }>

/** What was written for values that were only placeholders, by their path. */
type Filled = Readonly<Record<string, string>>

/** What is new is taken; what has a name of before only where the person says so. */
export function toRows({ entries }: ImportPreview): PasteRow[] {
  return entries.map((entry, id) => {
    if (entry.status === 'invalid') return { kind: 'unusable', id, entry }
    const name = entry.proposed_name ?? entry.name
    const isIncluded = entry.status === 'new'
    return { ...{ kind: 'usable', id, entry, isIncluded, name, filled: {} } }
  })
}

/** Paths of values that are still to be given. */
export function missingIn({ entry, filled }: UsableRow): string[] {
  const needed = entry.secrets.filter(({ kind }) => kind === 'needed')
  const isOpen = (path: string) =>
    !filled[path]?.trim() || filled[path] === getAt(entry.config, path)
  return needed.map(({ path }) => path).filter(isOpen)
}

/** Whether a value is stored sealed; arguments and addresses are shown to who sees the server. */
export function isSealed(path: string): boolean {
  return /^(env|headers|proxy)/.test(path)
}

/** The configuration as it will be added. */
export function toConfig({ entry, name, filled }: UsableRow): ServerConfigInput {
  const config = Object.entries(filled).reduce<ServerConfigInput>(
    (done, [path, value]) => setAt(done, path, inPlaceOf(getAt(entry.config, path), value.trim())),
    entry.config,
  )
  return { ...config, name: name.trim() }
}

/** Of `Bearer <token>` the token alone is written. */
function inPlaceOf(placeholder: string, value: string): string {
  const [scheme = ''] = /^(Bearer|Basic|Token)\s+/i.exec(placeholder) ?? []
  return /\s/.test(value) ? value : `${scheme}${value}`
}

/** The command or the address, on one line. */
export function toSummary(config: ServerConfigInput): string {
  const { command, args = [], url } = config as { command?: string; args?: string[]; url?: string }
  return command === undefined ? (url ?? '') : [command, ...args].join(' ')
}

/** `config` with another value at `env.KEY`, `headers["X-Key"]`, `args[2]` or `url`. */
export function setAt(config: ServerConfigInput, path: string, value: string): ServerConfigInput {
  const [, field = '', name, index] = /^(\w+)(?:\.(.+)|\[(.+)\])?$/s.exec(path) ?? []
  const key = name ?? (index === undefined ? undefined : readKey(index))
  const held = (config as Record<string, unknown>)[field]
  if (key === undefined) return { ...config, [field]: value } as ServerConfigInput
  if (Array.isArray(held)) {
    return { ...config, [field]: held.with(Number(key), value) } as ServerConfigInput
  }
  return { ...config, [field]: { ...(held as object), [key]: value } } as ServerConfigInput
}

/** What stands at a path now: a placeholder, mostly. */
export function getAt(config: ServerConfigInput, path: string): string {
  const [, field = '', name, index] = /^(\w+)(?:\.(.+)|\[(.+)\])?$/s.exec(path) ?? []
  const key = name ?? (index === undefined ? undefined : readKey(index))
  const held = (config as Record<string, unknown>)[field]
  const value = key === undefined ? held : (held as Record<string, unknown> | undefined)?.[key]
  return typeof value === 'string' ? value : ''
}

function readKey(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}
