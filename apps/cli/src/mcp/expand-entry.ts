import { isAbsolute, join, resolve } from 'node:path'
import { isPlainObject } from '@dataagent/schema/base'
import { type Expansion, expand, type Variables } from './expand.ts'

/** A server as its file has it. */
export type Entry = Readonly<Record<string, unknown>>

export interface EntryPlace {
  variables: Variables
  home: string
  /** What relative paths of commands and working folders begin at. */
  base: string
  /** Where a local server runs whose file does not say. */
  cwd?: string | undefined
}

type Fault = Exclude<Expansion, { status: 'ok' }>
type ExpandedEntry = { status: 'ok'; entry: Entry } | Fault

/** The fields of an entry in which variables may stand. */
export const expandedFields = ['command', 'args', 'env', 'cwd', 'url', 'headers'] as const

/**
 * With variables, `~` and relative paths resolved. What is no text stays for the check of types.
 */
export function expandEntry(entry: Entry, place: EntryPlace): ExpandedEntry {
  const faults: Fault[] = []

  function fill(text: string): string {
    const expansion = expand(text, place.variables)
    if (expansion.status === 'ok') return expansion.text
    faults.push(expansion)
    return text
  }

  const word = (text: string) => withHome(text, place.home, fill)
  const filled = {
    ...entry,
    ...mapField(entry, 'command', (text) => toCommand(word(text), place.base)),
    ...mapField(entry, 'args', word),
    ...mapField(entry, 'cwd', (text) => resolve(place.base, word(text))),
    ...mapField(entry, 'env', fill),
    ...mapField(entry, 'url', fill),
    ...mapField(entry, 'headers', fill),
  }
  const [fault] = faults
  if (fault) return fault
  const isPlaced = entry.command === undefined || entry.cwd !== undefined || !place.cwd
  return { status: 'ok', entry: isPlaced ? filled : { ...filled, cwd: place.cwd } }
}

/** Every text of a field: itself, the items of a list, the values of an object. */
export function textsOf(value: unknown): string[] {
  const values = isPlainObject(value) ? Object.values(value) : [value].flat()
  return values.filter((one): one is string => typeof one === 'string')
}

function mapField(entry: Entry, field: string, change: (text: string) => string) {
  const value = entry[field]
  const changed = (one: unknown) => (typeof one === 'string' ? change(one) : one)
  if (value === undefined) return {}
  if (Array.isArray(value)) return { [field]: value.map(changed) }
  if (!isPlainObject(value)) return { [field]: changed(value) }
  const members = Object.entries(value).map(([key, one]) => [key, changed(one)])
  return { [field]: Object.fromEntries(members) }
}

/** At the beginning of a word, as in a shell; nobody else's home. */
function withHome(text: string, home: string, fill: (text: string) => string): string {
  if (text === '~') return home
  return /^~[/\\]/.test(text) ? join(home, fill(text.slice(2))) : fill(text)
}

function toCommand(command: string, base: string): string {
  return /[/\\]/.test(command) && !isAbsolute(command) ? resolve(base, command) : command
}
