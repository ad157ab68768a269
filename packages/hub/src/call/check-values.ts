import type { CallToolResult } from '@dataagent/mcp'
import type { Validation, Validator } from '../validation/index.ts'
import { refuse } from './fault.ts'
import type { Admitted, Ending } from './underway.ts'

type Checked = Ending | undefined | Promise<Ending | undefined>

/** Arguments that do not fit the input schema reach no server. */
export function checkInput(validator: Validator, admitted: Admitted): Checked {
  const { tool } = admitted.entry
  const { inputSchema } = tool.definition
  const validation = validator.validate(keysOf(tool).input, inputSchema, admitted.args)
  if (!(validation instanceof Promise)) return judgeInput(admitted, validation)
  return validation.then((late) => judgeInput(admitted, late))
}

function judgeInput(admitted: Admitted, validation: Validation): Ending | undefined {
  admitted.record.input_validation = validation.status
  if (validation.status === 'ok') return undefined
  return refuse(admitted, 'invalid', {
    code: 'invalid_arguments',
    message: tell('The arguments do not fit the tool', validation),
    advice: validation.status === 'invalid' ? 'fix_arguments' : 'degrade',
    ...(validation.status === 'invalid' && { errors: validation.errors }),
  })
}

/** A result that does not fit the output schema is no result; the call is not made again. */
export function checkOutput(
  validator: Validator,
  admitted: Admitted,
  { structuredContent }: CallToolResult,
): Checked {
  const { tool } = admitted.entry
  const { outputSchema } = tool.definition
  if (outputSchema === undefined) {
    admitted.record.output_validation = 'no_schema'
    return undefined
  }
  const validation = validator.validate(keysOf(tool).output, outputSchema, structuredContent)
  if (!(validation instanceof Promise)) return judgeOutput(admitted, validation)
  return validation.then((late) => judgeOutput(admitted, late))
}

function judgeOutput(admitted: Admitted, validation: Validation): Ending | undefined {
  admitted.record.output_validation = validation.status
  if (validation.status === 'ok') return undefined
  return refuse(admitted, 'invalid', {
    code: 'invalid_result',
    message: tell('The tool ran, and its result does not fit its own schema', validation),
    advice: 'degrade',
    ...(validation.status === 'invalid' && { errors: validation.errors }),
  })
}

type Tool = Admitted['entry']['tool']

/** Made once for a tool: a text that is put together anew must be read before it can be found. */
const keys = new WeakMap<Tool, { input: string; output: string }>()

function keysOf(tool: Tool): { input: string; output: string } {
  let known = keys.get(tool)
  if (known === undefined) {
    known = { input: `${tool.hash}:in`, output: `${tool.hash}:out` }
    keys.set(tool, known)
  }
  return known
}

const toldMax = 3

function tell(what: string, validation: Exclude<Validation, { status: 'ok' }>): string {
  if (validation.status === 'failed') return `${what}: ${validation.message}`
  const told = validation.errors
    .slice(0, toldMax)
    .map(({ path, expected, got }) => `${path || 'the whole'}: expected ${expected}, got ${got}`)
  const more = validation.errors.length - told.length
  return `${what}: ${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`
}
