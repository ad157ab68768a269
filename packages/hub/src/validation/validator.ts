import { type Clock, systemClock } from '@dataagent/guard'
import { type FieldError, type JsonObject, jsonDepthMax, judgeJson } from '@dataagent/schema'
import { createPause } from '../pause.ts'
import { createRecent } from '../recent.ts'
import { writeJson } from '../write-json.ts'
import { type Check, createChecker } from './checker.ts'
import { type CheckingPool, createCheckingPool } from './checking-pool.ts'
import type { Given } from './checking-thread.ts'
import type { Validation, Validator } from './contract.ts'
import type { Dialect } from './dialect.ts'
import { toFieldPath } from './field-path.ts'
import { type JudgedSchema, judge } from './judge-schema.ts'
import { defaultSchemaLimits, plainLimits, type SchemaLimits } from './schema-limits.ts'
import { countParts } from './weigh-value.ts'

export interface ValidatorOptions {
  limits?: Partial<SchemaLimits>
  /** Processor time that one check in a worker may take. */
  budgetMs?: number
  /** The same for compiling a schema there. */
  compileBudgetMs?: number
  /** Compiled schemas that are kept: about 40 KiB each. */
  cacheMax?: number
  clock?: Clock
}

/** What is known of a schema. Without a `check` it is compiled in a worker. */
type Known =
  | { kind: 'unusable'; validation: Validation }
  | { kind: 'usable'; schema: JsonObject; dialect: Dialect; weight: number; check?: Check }

/** More than these hold the loop when they are all looked at. */
const partsAtOnce = 100_000

/** A check that would take longer here than the event loop can wait. */
class TooLong extends Error {}

export function createValidator(options: ValidatorOptions = {}): Validator {
  const { budgetMs = 50, compileBudgetMs = 2_000, cacheMax = 1_000 } = options
  const limits = { ...defaultSchemaLimits, ...options.limits }
  const known = createRecent<Known>(cacheMax)
  const clock = options.clock ?? systemClock
  const pool: CheckingPool = createCheckingPool({ clock, budgetMs, compileBudgetMs })
  let charactersLeft = 0

  return {
    judgeSchema: (schema) => judge(schema, limits).judgement,

    validate(key, schema, value) {
      const parts = countParts(value, jsonDepthMax, partsAtOnce)
      if (parts === -1) return { status: 'invalid', errors: [toJsonError(value)] }
      const found = known.get(key) ?? learn(key, schema)
      if (found.kind === 'unusable') return found.validation
      if (parts > partsAtOnce) return checkText(key, found, value)
      return checkHere(found, value, parts) ?? checkApart(key, found, { value })
    },

    close: () => pool.close(),
    [Symbol.asyncDispose]: () => pool.close(),
  }

  function learn(key: string, schema: JsonObject): Known {
    const learned = toKnown(schema, judge(schema, limits))
    known.set(key, learned)
    return learned
  }

  function toKnown(schema: JsonObject, { judgement, dialect, weight }: JudgedSchema): Known {
    if (judgement.status === 'rejected') return toUnusable(`the schema ${judgement.why}`)
    if (judgement.status === 'suspicious') return { kind: 'usable', schema, dialect, weight }
    try {
      const check = createChecker(schema, { dialect, readByPattern })
      return { kind: 'usable', schema, dialect, weight, check }
    } catch (error) {
      return toUnusable(`the schema cannot be used: ${(error as Error).message.slice(0, 200)}`)
    }
  }

  /** Patterns count what they read, and so find out when a check does not belong here. */
  function readByPattern(characters: number): void {
    charactersLeft -= characters + 8
    if (charactersLeft < 0) throw new TooLong()
  }

  function checkHere(
    { check, weight }: Extract<Known, { kind: 'usable' }>,
    value: unknown,
    parts: number,
  ): Validation | undefined {
    if (!check || parts * weight > plainLimits.checks) return undefined
    charactersLeft = plainLimits.patternCharacters
    try {
      return check(value)
    } catch {
      return undefined
    }
  }

  async function checkApart(
    key: string,
    { schema, dialect }: Extract<Known, { kind: 'usable' }>,
    given: Given,
  ): Promise<Validation> {
    const { validation, isFinal } = await pool.check({ key, schema, dialect, given })
    if (isFinal) known.set(key, { kind: 'unusable', validation })
    return validation
  }

  /** To hand over a text takes no time; what has many parts is copied part by part. */
  async function checkText(
    key: string,
    found: Extract<Known, { kind: 'usable' }>,
    value: unknown,
  ): Promise<Validation> {
    const json = await writeJson(value, createPause(clock)).catch(() => undefined)
    if (json === undefined) return { status: 'invalid', errors: [toJsonError(value)] }
    return await checkApart(key, found, { json, depthMax: jsonDepthMax })
  }
}

function toUnusable(message: string): Known {
  return { kind: 'unusable', validation: { status: 'failed', message } }
}

function toJsonError(value: unknown): FieldError {
  const verdict = judgeJson(value)
  if (verdict.status === 'ok') return { path: '', expected: 'no key "__proto__"', got: 'one' }
  const { path, expected, got } = verdict.fault
  return { path: toFieldPath(path as (string | number)[]), expected, got }
}
