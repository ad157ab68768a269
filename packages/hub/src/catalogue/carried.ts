import { isPlainObject, type JsonObject, type JsonValue, judgeJson } from '@dataagent/schema'
import { isJsonBeyond } from '../json-beyond.ts'
import { takeOutHidden } from '../poisoning/index.ts'

/**
 * What a server gives along with a definition, for those who show the tool. It is no part of the
 * hash: of a version it is what came with it first.
 */
export interface CarriedFields {
  icons?: JsonValue[]
  _meta?: JsonObject
}

/** Of each field as JSON; a larger one is left out. */
const mostCharacters = 32 * 1_024

/** As the server gave it, but for hidden characters. */
export function pickCarried(raw: unknown): CarriedFields {
  if (!isPlainObject(raw)) return {}
  const { icons, _meta } = raw
  return {
    ...(Array.isArray(icons) && isFit(icons) && { icons: clean(icons) as JsonValue[] }),
    ...(isPlainObject(_meta) && isFit(_meta) && { _meta: clean(_meta) as JsonObject }),
  }
}

function isFit(value: unknown): boolean {
  if (isJsonBeyond(value, mostCharacters)) return false
  const verdict = judgeJson(value)
  if (verdict.status === 'fault' || verdict.hasProtoKey) return false
  return JSON.stringify(value).length <= mostCharacters
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return takeOutHidden(value).text
  if (Array.isArray(value)) return value.map(clean)
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, inner]) => [takeOutHidden(key).text, clean(inner)]))
}
