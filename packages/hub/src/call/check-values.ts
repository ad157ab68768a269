import type { CallToolResult } from '@dataagent/mcp'
import type { Validation, Validator } from '../validation/index.ts'
import { refuse } from './fault.ts'
import type { Admitted, Ending } from './underway.ts'

/** Arguments that do not fit the input schema reach no server. */
export async function checkInput(
  validator: Validator,
  admitted: Admitted,
): Promise<Ending | undefined> {
  const { hash, definition } = admitted.entry.tool
  const validation = await validator.validate(`${hash}:in`, definition.inputSchema, admitted.args)
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
export async function checkOutput(
  validator: Validator,
  admitted: Admitted,
  result: CallToolResult,
): Promise<Ending | undefined> {
  const { hash, definition } = admitted.entry.tool
  const { record } = admitted
  if (definition.outputSchema === undefined) {
    record.output_validation = 'no_schema'
    return undefined
  }
  const validation = await validator.validate(
    `${hash}:out`,
    definition.outputSchema,
    result.structuredContent,
  )
  record.output_validation = validation.status
  if (validation.status === 'ok') return undefined
  return refuse(admitted, 'invalid', {
    code: 'invalid_result',
    message: tell('The tool ran, and its result does not fit its own schema', validation),
    advice: 'degrade',
    ...(validation.status === 'invalid' && { errors: validation.errors }),
  })
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
