import { isDeepStrictEqual } from 'node:util'
import { isPlainObject, readJson } from '@dataagent/schema'
import { readLenientValues } from './lenient-json.ts'

type Arguments = Readonly<Record<string, unknown>>

/**
 * The arguments that a model wrote; undefined where they are no JSON object, even after repair.
 * What was cut inside a text or a number is not completed: a tool must not run with half a value.
 */
export function readArguments(json: string, { repairs = true } = {}): Arguments | undefined {
  if (json.trim() === '') return {}
  const value = tryJson(json)
  if (value !== undefined) return toArguments(value)
  return repairs ? repair(json) : undefined
}

function tryJson(json: string): unknown {
  try {
    return readJson(json)
  } catch {
    return undefined
  }
}

/** Some models write the object once more as a text, or null where there are no arguments. */
function toArguments(value: unknown): Arguments | undefined {
  if (value === null) return {}
  const inner = typeof value === 'string' ? tryJson(value) : value
  return isPlainObject(inner) ? inner : undefined
}

function repair(json: string): Arguments | undefined {
  const values = readLenientValues(withoutFence(json.trim()))
  return values?.every(isPlainObject) ? pickOne(values) : undefined
}

function withoutFence(text: string): string {
  if (!text.startsWith('```')) return text
  const opening = /^```[\w-]*/.exec(text)?.[0].length ?? 0
  return text.slice(opening, text.length > opening && text.endsWith('```') ? -3 : undefined)
}

/**
 * The one object that was meant: where several stand in a row, the last that holds all of those
 * before it. Different ones could be the arguments of several calls.
 */
function pickOne(objects: readonly Arguments[]): Arguments | undefined {
  const last = objects.at(-1)
  if (last === undefined) return undefined
  return objects.every((object) => isPartOf(object, last)) ? last : undefined
}

function isPartOf(part: Arguments, whole: Arguments): boolean {
  return Object.entries(part).every(([key, value]) => isDeepStrictEqual(whole[key], value))
}
