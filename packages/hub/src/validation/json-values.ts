import type { JsonObject } from '@dataagent/schema'
import { toCanonicalJson } from '../canonical-json.ts'

/** Whether `value` is of a type that `schema` names, if it names one. */
export function isOfType(value: unknown, { type, nullable }: JsonObject): boolean {
  if (type === undefined) return true
  const types = Array.isArray(type) ? type : [type]
  if (nullable === true && value === null) return true
  return types.some((name) => isType(value, name))
}

function isType(value: unknown, name: unknown): boolean {
  if (name === 'null') return value === null
  if (name === 'array') return Array.isArray(value)
  if (name === 'integer') return Number.isInteger(value)
  if (name === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === name
}

/** Whether all are different. In time that is linear in their size. */
export function areUnique(items: readonly unknown[]): boolean {
  return items.length < 2 || new Set(items.map(toKey)).size === items.length
}

/** Whether a value is one of `choices`, whatever the order of its keys. */
export function isAmong(choices: readonly unknown[]): (value: unknown) => boolean {
  const keys = new Set(choices.map(toKey))
  return (value) => keys.has(toKey(value))
}

/** The same for the same JSON value only. */
function toKey(value: unknown): unknown {
  if (typeof value === 'string') return `"${value}`
  return typeof value === 'object' && value !== null ? toCanonicalJson(value) : value
}
