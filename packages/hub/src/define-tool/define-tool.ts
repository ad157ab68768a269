import { AppError, type JsonObject, toFieldErrors } from '@dataagent/schema'
import { z } from 'zod'
import type { OwnApproval, OwnTool, ToolSpec } from './contract.ts'
import { toToolResult } from './result-of.ts'
import { toJsonSchema } from './signature.ts'

const namePattern = /^[a-zA-Z0-9_.-]{1,64}$/

/**
 * A tool from a typed function: its zod schema is its signature. Throws `config_invalid` for a name
 * or a signature that cannot be offered.
 */
export function defineTool<Input extends z.ZodType, Output = unknown>(
  spec: ToolSpec<Input, Output>,
): OwnTool {
  const { name, description, input, output } = spec
  assertNamed(name, description)
  const inputSchema = toJsonSchema(input, 'input', `the input of the tool ${name}`)
  assertObject(name, inputSchema)
  return {
    name,
    title: spec.title,
    description,
    category: spec.category,
    inputSchema,
    outputSchema: output && toOutputSchema(name, output),
    annotations: spec.annotations ?? {},
    approval: toApproval(spec),
    untrusted: spec.untrusted ?? false,
    idempotent: spec.idempotent ?? false,
    timeoutMs: spec.timeoutMs,
    async run(args, context) {
      const value = await spec.run(await parseArguments(name, input, args), context)
      if (!output) return toToolResult(value, false)
      return toToolResult(await parseResult(name, output, value), true)
    },
  }
}

function toApproval<Input extends z.ZodType, Output>({
  approval = 'allow',
  input,
}: ToolSpec<Input, Output>): OwnTool['approval'] {
  if (typeof approval !== 'function') return approval
  return (args) => {
    try {
      return toEffect(approval(input.parse(args)))
    } catch {
      return 'ask'
    }
  }
}

/** Whatever a function gives, only the one word allows. */
function toEffect(given: OwnApproval): OwnApproval {
  return given === 'allow' ? 'allow' : 'ask'
}

function assertNamed(name: string, description: string): void {
  if (!namePattern.test(name)) {
    throw new AppError(
      'config_invalid',
      `a tool's name has 1 to 64 letters, digits, dots, dashes or underscores: ${JSON.stringify(name)}`,
    )
  }
  if (description.trim() === '') {
    throw new AppError('config_invalid', `the tool ${name} needs a description`)
  }
}

function assertObject(name: string, { type }: JsonObject): void {
  if (type === 'object') return
  throw new AppError(
    'config_invalid',
    `the input of the tool ${name} must be an object schema: z.object({ … })`,
  )
}

/** MCP has objects only: what is none is given under the name `result`. */
function toOutputSchema(name: string, output: z.ZodType): JsonObject {
  const what = `the output of the tool ${name}`
  const schema = toJsonSchema(output, 'output', what)
  return schema.type === 'object'
    ? schema
    : toJsonSchema(z.object({ result: output }), 'output', what)
}

async function parseArguments<Input extends z.ZodType>(
  name: string,
  input: Input,
  args: Record<string, unknown>,
): Promise<z.output<Input>> {
  const parsed = await input.safeParseAsync(args)
  if (parsed.success) return parsed.data
  const errors = toFieldErrors(parsed.error, args)
  throw new AppError('invalid_arguments', `the arguments of ${name} do not fit`, {
    data: { errors },
  })
}

async function parseResult(name: string, output: z.ZodType, value: unknown): Promise<unknown> {
  const parsed = await output.safeParseAsync(value)
  if (parsed.success) return parsed.data
  const errors = toFieldErrors(parsed.error, value)
  throw new AppError('invalid_result', `the result of ${name} does not fit`, { data: { errors } })
}
