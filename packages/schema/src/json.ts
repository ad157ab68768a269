import { z } from 'zod'
import { toInvalidRequest } from './field-errors.ts'
import { isPlainObject, type JsonFault, jsonDepthMax, judgeJson } from './judge-json.ts'
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

/** Any JSON value. */
export const jsonValue = z.unknown().check(checkJson) as unknown as z.ZodType<JsonValue>

/** A JSON object: no array, no null, no instance of a class. */
export const jsonObject = z
  .unknown()
  .check((payload) => {
    if (isPlainObject(payload.value)) checkJson(payload)
    else addIssue(payload, { path: [], expected: 'object', got: '' })
  })
  .meta({ type: 'object' }) as unknown as z.ZodType<JsonObject>

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

function checkJson(payload: z.core.ParsePayload<unknown>): void {
  const verdict = judgeJson(payload.value)
  if (verdict.status === 'fault') addIssue(payload, verdict.fault)
  else if (verdict.hasNegativeZero) payload.value = withoutNegativeZero(payload.value)
}

function addIssue(payload: z.core.ParsePayload<unknown>, { path, ...params }: JsonFault): void {
  payload.issues.push({ code: 'custom', input: payload.value, path, params, continue: false })
}

/** Only for a value that `judgeJson` has passed: JSON.stringify recurses without a limit. */
function withoutNegativeZero(value: unknown): JsonValue {
  const depthMax = Number.POSITIVE_INFINITY
  return readJson(JSON.stringify(value), { depthMax }) as JsonValue
}
