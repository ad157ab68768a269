import { isPlainObject } from '@dataagent/schema'
import { protocolError } from '../errors.ts'

/** The result of `method` as an object, or a `protocol` error that says what is there instead. */
export function toObject(method: string, result: unknown): Record<string, unknown> {
  if (isPlainObject(result)) return result
  throw protocolError(`the server answered "${method}" with ${describe(result)}, not an object`)
}

/** A value in a word or two for a message: never the value itself. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  return `a ${typeof value}`
}

/** Text of a server for a message: short, in quotes, without control characters. */
export function quote(text: string): string {
  const short = text.length > 100 ? `${text.slice(0, 100)}…` : text
  return JSON.stringify(short)
}
