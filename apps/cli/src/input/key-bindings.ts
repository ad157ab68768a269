import { readFile } from 'node:fs/promises'
import type { Lang } from '../words/index.ts'
import { defaultBindings, type KeyAction, type KeyBindings, keyTable } from './keys.ts'
import { words } from './words.ts'

export interface ReadBindings {
  bindings: KeyBindings
  /** One line, of the first thing that is wrong with the file. */
  warning: string | undefined
}

/**
 * The keys as a keybindings.json changes them: `"plan": "f2"` or `"plan": ["f2", "ctrl+t"]` in
 * place of what it was, `"-plan": true` without any. Never rejects; no file is no change.
 */
export async function readBindings(file: string, lang: Lang): Promise<ReadBindings> {
  try {
    return parseBindings(await readFile(file, 'utf8'), file, lang)
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const warning = words.badBindings(file, words.unreadable[lang])[lang]
    return { bindings: defaultBindings, warning: isMissing ? undefined : warning }
  }
}

/** What the text of the file says; what is wrong in it is left out. */
export function parseBindings(text: string, file: string, lang: Lang): ReadBindings {
  const json = parseObject(text)
  const problems: string[] = []
  const changes = new Map<KeyAction, readonly string[]>()
  if (json === undefined) problems.push(words.notJson[lang])
  for (const [name, value] of Object.entries(json ?? {})) {
    const change = toChange(name, value, lang)
    if (change.problem === undefined) changes.set(change.name, withoutTaken(change.keys))
    else problems.push(change.problem)
  }
  const [first] = problems
  return {
    bindings: applyChanges(changes),
    warning: first === undefined ? undefined : words.badBindings(file, first)[lang],
  }

  function withoutTaken(keys: readonly string[]): string[] {
    const taken = new Set([...changes.values()].flat())
    for (const key of keys) if (taken.has(key)) problems.push(words.takenKey(key)[lang])
    return keys.filter((key) => !taken.has(key))
  }
}

function parseObject(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : undefined
  } catch {
    return undefined
  }
}

type Change =
  | { name: KeyAction; keys: readonly string[]; problem?: undefined }
  | { problem: string }

function toChange(given: string, value: unknown, lang: Lang): Change {
  const isUnbound = given.startsWith('-')
  const row = keyTable.find(({ name }) => name === (isUnbound ? given.slice(1) : given))
  if (row === undefined) return { problem: words.noSuchAction(given)[lang] }
  if ('isKept' in row) return { problem: words.keptKey(toKeyLabel(row.keys[0]))[lang] }
  if (isUnbound) return { name: row.name, keys: [] }
  const keys = [value].flat()
  const kept = keys.find((key) => key === 'ctrl+c')
  if (kept !== undefined) return { problem: words.keptKey(toKeyLabel('ctrl+c'))[lang] }
  const wrong = keys.find((key) => typeof key !== 'string' || !isKeyName(key))
  if (wrong !== undefined) return { problem: words.noSuchKey(String(wrong))[lang] }
  return { name: row.name, keys: keys as string[] }
}

/** A key that a change takes is no longer that of another action. */
function applyChanges(changes: ReadonlyMap<KeyAction, readonly string[]>): KeyBindings {
  const taken = new Set([...changes.values()].flat())
  return Object.fromEntries(
    keyTable.map(({ name, keys }) => [
      name,
      changes.get(name) ?? keys.filter((key: string) => !taken.has(key)),
    ]),
  ) as unknown as KeyBindings
}

const modifier = /^(?:ctrl|shift|alt|super)$/
const named = new Set([
  ...['escape', 'enter', 'tab', 'space', 'backspace', 'delete', 'insert', 'home', 'end'],
  ...['pageup', 'pagedown', 'up', 'down', 'left', 'right'],
  ...Array.from({ length: 12 }, (_, at) => `f${at + 1}`),
])

function isKeyName(text: string): boolean {
  return text.split(' ').every((press) => {
    const parts = press === '+' ? [press] : press.split('+')
    const key = parts.pop() ?? ''
    return (
      parts.every((part) => modifier.test(part)) &&
      (named.has(key.toLowerCase()) || /^[!-~]$/.test(key))
    )
  })
}

const labels: Readonly<Record<string, string>> = {
  escape: 'Esc',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
}

/** As people write it: `ctrl+o` is Ctrl+O. */
export function toKeyLabel(keys: string): string {
  return keys
    .split(' ')
    .map((press) => press.split('+').map(toPartLabel).join('+'))
    .join(' ')
}

function toPartLabel(part: string): string {
  return labels[part] ?? part.charAt(0).toUpperCase() + part.slice(1)
}
