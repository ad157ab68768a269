import { toInvalidRequest } from './field-errors.ts'
import { jsonDepthMax, judgeJson } from './judge-json.ts'
import { type ReadJsonOptions, readJson } from './read-json.ts'

/**
 * What JSON text can hold and give back unchanged: finite numbers, any string (lone surrogates and
 * NUL included), any own key (`__proto__` included: it stays an own property), at most
 * `jsonDepthMax` levels. JSON has one zero: -0 is 0.
 */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue }
export type JsonObject = { [key: string]: JsonValue }

/**
 * Parses text from outside: an AppError `parse_error` when it is not JSON, `invalid_request` when
 * it is nested too deep or has a key `__proto__`, which no contract of ours has.
 */
export function parseJson(text: string, options: ReadJsonOptions = {}): JsonValue {
  const { what = 'message', depthMax = jsonDepthMax } = options
  const value = readJson(text, { what, depthMax })
  const verdict = judgeJson(value, depthMax)
  if (verdict.status === 'fault') throw toInvalidRequest(what, [verdict.fault])
  if (verdict.hasProtoKey) {
    throw toInvalidRequest(what, [{ path: [], expected: 'no key "__proto__"', got: 'one' }])
  }
  return verdict.hasNegativeZero ? withoutNegativeZero(value) : (value as JsonValue)
}

/** Only for a value that `judgeJson` has passed: JSON.stringify recurses without a limit. */
export function withoutNegativeZero(value: unknown): JsonValue {
  const depthMax = Number.POSITIVE_INFINITY
  return readJson(JSON.stringify(value), { depthMax }) as JsonValue
}
