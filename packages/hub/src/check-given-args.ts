import { AppError } from '@dataagent/schema'
import type { ApprovalsOptions } from './approvals/index.ts'
import type { Catalogue } from './catalogue/index.ts'
import type { Validator } from './validation/index.ts'

export interface CheckGivenArgsMeans {
  catalogue: Pick<Catalogue, 'get'>
  validator: Pick<Validator, 'validate'>
}

/**
 * Tells an approver at once of arguments that do not fit. The call checks them again when it runs:
 * here a tool that only its caller knows, or a value that was shown masked, passes.
 */
export function createCheckGivenArgs({
  catalogue,
  validator,
}: CheckGivenArgsMeans): NonNullable<ApprovalsOptions['checkArgs']> {
  return async ({ tenant_id, server_id, tool_name, definition_hash }, args) => {
    const tool = catalogue.get(tenant_id, { server_id, name: tool_name })?.tool
    if (tool?.hash !== definition_hash || JSON.stringify(args).includes('***')) return
    const { inputSchema } = tool.definition
    const validation = await validator.validate(`${definition_hash}:in`, inputSchema, args)
    if (validation.status !== 'invalid') return
    const { errors } = validation
    const message = 'the arguments given do not fit the tool; nothing was decided'
    throw new AppError('invalid_arguments', message, { data: { errors } })
  }
}
