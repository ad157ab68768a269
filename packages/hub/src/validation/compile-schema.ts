import type { JsonObject } from '@dataagent/schema'
import { Ajv, type ErrorObject, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Dialect } from './dialect.ts'
import { formats } from './formats.ts'
import { areUnique, isAmong } from './json-values.ts'
import { createPattern, type SafePattern } from './safe-pattern.ts'

export interface CompileOptions {
  dialect: Dialect
  /** Told of each text that a pattern is about to read; what it throws ends the check. */
  readByPattern?: (characters: number) => void
}

export interface CompiledSchema {
  /** Nothing where the value fits, else the first thing that does not. May throw for the latter. */
  check(value: unknown): ErrorObject | undefined
}

/**
 * Only for a schema that `judge` did not reject. Each gets a compiler of its own: one that is
 * shared keeps all that it ever compiled, and lets a schema refer to the `$id`s of another. Throws
 * for what cannot be compiled.
 */
export function compileSchema(schema: JsonObject, options: CompileOptions): CompiledSchema {
  const { $schema: _, ...rest } = schema
  const compiler = createCompiler(options)
  // Keeping count of what was looked at costs time, and throws where a `$ref` does not fit.
  compiler.opts.unevaluated = JSON.stringify(rest).includes('"unevaluated')
  const validate = compiler.compile(rest)
  return {
    check: (value) => (validate(value) ? undefined : validate.errors?.[0]),
  }
}

const compilers = { 'draft-07': Ajv, '2019-09': Ajv2019, '2020-12': Ajv2020 }

function createCompiler({ dialect, readByPattern = () => {} }: CompileOptions): Ajv {
  const regExp = (pattern: string): SafePattern => createPattern(pattern, readByPattern)
  const options: Options = {
    strict: false,
    meta: false,
    validateSchema: false,
    logger: false,
    messages: false,
    /**
     * Without it the code of each check is within that of the one before: many properties are
     * nested too deep, and what stands behind a `prefixItems` is skipped for a short array.
     */
    allErrors: true,
    ownProperties: true,
    unicodeRegExp: true,
    /** A `$ref` written out at each place would make small schemas large. */
    inlineRefs: false,
    code: { optimize: false, regExp: Object.assign(regExp, { code: 'safePattern' }) },
    formats: Object.fromEntries(formats),
  }
  const compiler = new compilers[dialect](options)
  for (const keyword of ['id', 'uniqueItems', 'enum', 'const']) compiler.removeKeyword(keyword)
  return addOwnKeywords(compiler)
}

/** In place of the compiler's: linear in time, and no key of a value (`toString`) misleads them. */
function addOwnKeywords(compiler: Ajv): Ajv {
  compiler.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (wanted: boolean) => (items: unknown[]) => !wanted || areUnique(items),
  })
  compiler.addKeyword({ keyword: 'const', compile: (value: unknown) => isAmong([value]) })
  return compiler.addKeyword({ keyword: 'enum', schemaType: 'array', compile: isAmong })
}
