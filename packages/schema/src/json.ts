import { z } from 'zod'
import { isPlainObject, type JsonFault, judgeJson } from './judge-json.ts'
import { type JsonObject, type JsonValue, withoutNegativeZero } from './parse-json.ts'

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

function checkJson(payload: z.core.ParsePayload<unknown>): void {
  const verdict = judgeJson(payload.value)
  if (verdict.status === 'fault') addIssue(payload, verdict.fault)
  else if (verdict.hasNegativeZero) payload.value = withoutNegativeZero(payload.value)
}

function addIssue(payload: z.core.ParsePayload<unknown>, { path, ...params }: JsonFault): void {
  payload.issues.push({ code: 'custom', input: payload.value, path, params, continue: false })
}
