import type { Masker } from '@dataagent/guard'
import { isPlainObject, type JsonObject } from '@dataagent/schema'
import type { NotShown } from './shown-action.ts'
import { createShownText, isOneValue } from './shown-text.ts'

export interface ShownArgs {
  args: JsonObject
  not_shown: NotShown
}

type Json = Record<string, unknown>

/** What can be the name of a header, a variable or an option; prose is none. */
const nameShape = /^[\w.-]{1,128}$/

/** Fields that name what is in the field `value` beside them. */
const labels = ['name', 'Name', 'key', 'Key']
const labelled = ['value', 'Value', 'values']

/**
 * The arguments of a call as its approver reads them: whole and exact, but for values under the
 * names of secrets, known secrets, and single values that look like one. What is not shown beyond
 * those is counted, for whoever says yes must know that there is more.
 */
export function toShownArgs(masker: Pick<Masker, 'mask' | 'maskText'>, args: Json): ShownArgs {
  const not_shown: NotShown = { masked: 0, cut: 0 }
  const showText = createShownText(masker, not_shown)
  return { args: showObject(args), not_shown }

  function show(value: unknown): unknown {
    if (typeof value === 'string') return showText(value)
    if (Array.isArray(value)) return value.map((item, at) => showItem(item, value[at - 1]))
    if (isPlainObject(value)) return showObject(value)
    if (typeof value === 'number') return showText(String(value)) === String(value) ? value : '***'
    const isPlain = value === null || value === undefined || typeof value === 'boolean'
    return isPlain ? value : showText(String(value))
  }

  function showObject(given: Json): JsonObject {
    const isLabelled = labels.some((label) => isSecretName(given[label]))
    const shown = new Map<string, unknown>()
    const toFree = createFreeKeys(shown)
    for (const [key, value] of Object.entries(given)) {
      const isSecret = isSecretKey(key) || (isLabelled && labelled.includes(key))
      shown.set(toFree(showText(key)), isSecret ? hide(value) : show(value))
    }
    return Object.fromEntries(shown) as JsonObject
  }

  /** Of `--token x` the second is hidden where it is a value: a list may hold commands too. */
  function showItem(item: unknown, before: unknown): unknown {
    const isNamed = isSecretName(before) && before.startsWith('-')
    return isNamed && typeof item === 'string' && isOneValue(item) ? '***' : show(item)
  }

  function isSecretName(name: unknown): name is string {
    return typeof name === 'string' && nameShape.test(name) && isSecretKey(name)
  }

  function isSecretKey(key: string): boolean {
    return Object.values(masker.mask({ [key]: 'x' }) as Json)[0] === '***'
  }

  function hide(value: unknown): unknown {
    if (value === null || typeof value === 'boolean' || value === '') return value
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    if (!isOneValue(text)) not_shown.masked += text.length
    return '***'
  }
}

/** Two keys that are shown alike are still two. */
function createFreeKeys(taken: ReadonlyMap<string, unknown>): (key: string) => string {
  const alike = new Map<string, number>()
  return (key) => {
    let free = key
    let n = alike.get(key) ?? 1
    while (taken.has(free)) free = `${key} (${++n})`
    alike.set(key, n)
    return free
  }
}
