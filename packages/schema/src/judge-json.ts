/** The deepest nesting accepted. `{}` and `[]` are one level, a scalar none. */
export const jsonDepthMax = 64

/** Why a value is not JSON, and where. */
export interface JsonFault {
  path: PropertyKey[]
  expected: string
  got: string
}

export type JsonVerdict =
  | { status: 'ok'; hasNegativeZero: boolean; hasProtoKey: boolean }
  | { status: 'fault'; fault: JsonFault }

/** Walks `value` and says whether JSON can hold it. Safe for any depth and for cycles. */
export function judgeJson(value: unknown, depthMax = jsonDepthMax): JsonVerdict {
  const walk: Walk = { depthMax, hasNegativeZero: false, hasProtoKey: false }
  const fault = findFault(value, depthMax, walk)
  if (fault) return { status: 'fault', fault }
  return { status: 'ok', hasNegativeZero: walk.hasNegativeZero, hasProtoKey: walk.hasProtoKey }
}

/** Whether `value` is an object as JSON.parse makes it. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The kind of `value` in a word for an error message: not the value, which may be a secret. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'object') return isPlainObject(value) ? 'object' : 'class instance'
  return typeof value
}

interface Walk {
  readonly depthMax: number
  hasNegativeZero: boolean
  hasProtoKey: boolean
}

/** Recursion ends where `depthLeft` is 0, so it never holds more than `depthMax` frames. */
function findFault(value: unknown, depthLeft: number, walk: Walk): JsonFault | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return undefined
  if (typeof value === 'number') return findFaultInNumber(value, walk)
  if (typeof value !== 'object') return toFault('JSON value', describeValue(value))
  if (depthLeft === 0) return toFault(`at most ${walk.depthMax} levels of nesting`, 'more')
  if (Array.isArray(value)) return findFaultInArray(value, depthLeft - 1, walk)
  if (!isPlainObject(value)) return toFault('JSON value', describeValue(value))
  return findFaultInObject(value, depthLeft - 1, walk)
}

function findFaultInNumber(value: number, walk: Walk): JsonFault | undefined {
  if (!Number.isFinite(value)) return toFault('finite number', String(value))
  if (Object.is(value, -0)) walk.hasNegativeZero = true
  return undefined
}

function findFaultInArray(items: unknown[], depthLeft: number, walk: Walk): JsonFault | undefined {
  for (let index = 0; index < items.length; index++) {
    const fault = findFault(items[index], depthLeft, walk)
    if (fault) return toOuterFault(fault, index)
  }
  return undefined
}

function findFaultInObject(
  object: Record<string, unknown>,
  depthLeft: number,
  walk: Walk,
): JsonFault | undefined {
  for (const key of Object.keys(object)) {
    if (key === '__proto__') walk.hasProtoKey = true
    const fault = findFault(object[key], depthLeft, walk)
    if (fault) return toOuterFault(fault, key)
  }
  return undefined
}

function toFault(expected: string, got: string): JsonFault {
  return { path: [], expected, got }
}

function toOuterFault(fault: JsonFault, key: PropertyKey): JsonFault {
  fault.path.unshift(key)
  return fault
}
