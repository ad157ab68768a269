import { parentPort } from 'node:worker_threads'
import type { JsonObject } from '@dataagent/schema'
import { createRecent } from '../recent.ts'
import { type Check, createChecker } from './checker.ts'
import type { Validation } from './contract.ts'
import type { Dialect } from './dialect.ts'
import { countParts } from './weigh-value.ts'

/** A value that is to be checked, or its text as `JSON.stringify` writes it. */
export type Given = { value: unknown } | { json: string; depthMax: number }

export interface CheckRequest {
  key: string
  given: Given
  /** Left out where this thread has compiled it already. */
  definition?: { schema: JsonObject; dialect: Dialect }
}

/** `running` and `compiling` come before the work begins: its time is counted from there. */
export type CheckReply =
  | { status: 'ready' | 'compiling' | 'running' }
  | { status: 'forgotten' }
  | { status: 'uncompilable'; message: string }
  | { status: 'done'; validation: Validation }

type InvalidValue = Extract<Validation, { status: 'invalid' }>

const checkedMax = 100
const checks = createRecent<Check>(checkedMax)

parentPort?.on('message', (request: CheckRequest) => reply(answer(request)))
reply({ status: 'ready' })

function answer(request: CheckRequest): CheckReply {
  let check: Check | undefined
  try {
    check = checks.get(request.key) ?? compile(request)
  } catch (error) {
    return { status: 'uncompilable', message: (error as Error).message }
  }
  if (!check) return { status: 'forgotten' }
  const read = readGiven(request.given)
  if (read.status === 'invalid') return { status: 'done', validation: read }
  reply({ status: 'running' })
  return { status: 'done', validation: run(check, read.value) }
}

function readGiven(given: Given): { status: 'ok'; value: unknown } | InvalidValue {
  if ('value' in given) return { status: 'ok', value: given.value }
  const value: unknown = JSON.parse(given.json)
  if (countParts(value, given.depthMax) !== -1) return { status: 'ok', value }
  const expected = `at most ${given.depthMax} levels, and no key "__proto__"`
  return { status: 'invalid', errors: [{ path: '', expected, got: 'another value' }] }
}

/** What a value makes fail says nothing of the schema. */
function run(check: Check, value: unknown): Validation {
  try {
    return check(value)
  } catch (error) {
    const message = `the value cannot be checked: ${(error as Error).message.slice(0, 200)}`
    return { status: 'failed', message }
  }
}

/** The first call of new code takes as long again as making it did: it is made here. */
function compile({ key, definition }: CheckRequest): Check | undefined {
  if (!definition) return undefined
  reply({ status: 'compiling' })
  const check = createChecker(definition.schema, { dialect: definition.dialect })
  run(check, null)
  checks.set(key, check)
  return check
}

function reply(message: CheckReply): void {
  parentPort?.postMessage(message)
}
