import type { FieldError, JsonObject } from '@dataagent/schema'
import type { ErrorObject } from 'ajv'
import { type CompileOptions, compileSchema } from './compile-schema.ts'
import type { Validation } from './contract.ts'
import { createExplain } from './explain.ts'
import { toFieldPath } from './field-path.ts'
import { resolvePointer } from './schema-graph.ts'
import { describeSchema } from './schema-words.ts'
import { describeGot } from './value-words.ts'

/** Throws what `readByPattern` throws, and where a value cannot be checked. */
export type Check = (value: unknown) => Validation

const ok: Validation = { status: 'ok' }

/** A schema, ready to be held against values. Throws where it cannot be compiled. */
export function createChecker(schema: JsonObject, options: CompileOptions): Check {
  const compiled = compileSchema(schema, options)
  const explain = createExplain(schema, options)
  return (value) => {
    const first = tryCheck(value)
    if (!first) return ok
    const errors = explain(value)
    if (errors.length > 0) return { status: 'invalid', errors }
    if ('thrown' in first) throw first.thrown
    return { status: 'invalid', errors: [toFieldError(first, value, schema)] }
  }

  /** What is found is right also where the compiler's code throws instead of saying so. */
  function tryCheck(value: unknown): ErrorObject | { thrown: unknown } | undefined {
    try {
      return compiled.check(value)
    } catch (thrown) {
      return { thrown }
    }
  }
}

/** The compiler's own finding, for what is not explained otherwise. */
function toFieldError(error: ErrorObject, whole: unknown, root: JsonObject): FieldError {
  const { instancePath, schemaPath, keyword, params } = error
  const steps: (string | number)[] = []
  let value = whole
  for (const name of toNames(instancePath)) step(name)
  const extra: unknown = params.unevaluatedProperty
  if (typeof extra === 'string') step(extra)
  const schema = resolvePointer(root, schemaPath.slice(1, schemaPath.lastIndexOf('/')))
  const words = typeof extra === 'string' ? 'no such field' : describeSchema(schema)
  const isVague = words === 'another value' || words === 'nothing'
  const expected = isVague ? `a value that \`${keyword}\` allows` : words
  return { path: toFieldPath(steps), expected, got: describeGot(value, steps) }

  function step(name: string): void {
    steps.push(Array.isArray(value) ? Number(name) : name)
    value = (value as Record<string, unknown> | undefined)?.[name]
  }
}

function toNames(pointer: string): string[] {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
