import type { Runtime } from '@dataagent/core'
import { AppError, type ErrorCode } from '@dataagent/schema'
import {
  getInteropZodObjectShape,
  type InteropZodType,
  interopSafeParse,
  isInteropZodObject,
} from '@langchain/core/utils/types'
import type { Fields, Theirs } from './contract.ts'

/** The runtime that hooks of LangChain get, made once for each run. */
export function createHookRuntime({ name, contextSchema }: Theirs): (runtime: Runtime) => Fields {
  const made = new WeakMap<Runtime, Fields>()

  return (runtime) => {
    const known = made.get(runtime)
    if (known) return known
    const { session_id, run_id, assistant_id, signal } = runtime
    const theirs = Object.freeze({
      context: toContext(name, contextSchema, runtime.context),
      configurable: { thread_id: session_id, run_id, assistant_id },
      ...{ signal, store: undefined, writer: () => {} },
      interrupt: () => {
        throw toInterruptError()
      },
    })
    made.set(runtime, theirs)
    return theirs
  }
}

function toContext(name: string, schema: unknown, given: Fields): unknown {
  if (schema === undefined) return given
  const parsed = interopSafeParse(schema as InteropZodType, pickKnown(schema, given))
  if (parsed.success) {
    const { threadLimit } = Object(parsed.data) as Fields
    if (name === 'ModelCallLimitMiddleware' && threadLimit !== undefined) throw onlyInRuns(name)
    return parsed.data
  }
  const told = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new AppError(
    'invalid_request',
    `the context ("extra" of the run) does not fit middleware ${name}: ${told.join('; ')}`,
  )
}

function onlyInRuns(name: string): AppError {
  return new AppError(
    'invalid_request',
    `the context ("extra" of the run) has a threadLimit, and what ${name} counts lasts a run: ` +
      'set runLimit',
  )
}

/** The context is of all middlewares together. */
function pickKnown(schema: unknown, given: Fields): unknown {
  if (!isInteropZodObject(schema)) return given
  const known = Object.keys(getInteropZodObjectShape(schema))
  return Object.fromEntries(Object.entries(given).filter(([field]) => known.includes(field)))
}

/** What is said where a middleware wants to interrupt its run. */
function toInterruptError(cause?: unknown): AppError {
  return new AppError(
    'config_invalid',
    "a run is not interrupted by a middleware: approvals are by tool policy (approval: 'ask')",
    { cause },
  )
}

/** What LangChain's own middlewares throw for people to read; other errors are faults. */
const told: Readonly<Record<string, ErrorCode>> = {
  PIIDetectionError: 'forbidden',
  OpenAIModerationError: 'forbidden',
  ToolCallLimitExceededError: 'quota_exceeded',
  ModelCallLimitMiddlewareError: 'quota_exceeded',
}

/** What a hook has thrown, with its code where it is known. */
export function toUnderstood(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  // LangGraph's `interrupt` knows only graphs.
  if (error.message.includes('Called interrupt()')) return toInterruptError(error)
  const code = told[error.name]
  return code === undefined ? error : new AppError(code, error.message, { cause: error })
}
