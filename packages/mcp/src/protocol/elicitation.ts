import { isPlainObject } from '@dataagent/schema/base'
import type { ElicitResult } from '@modelcontextprotocol/client'

/**
 * The answer to a form with the defaults of the fields that were left out: a host may show a form
 * and send back only what was changed. Only an accepted form is filled.
 */
export function withDefaults(params: Record<string, unknown>, answer: ElicitResult): ElicitResult {
  if (answer.action !== 'accept' || (params.mode ?? 'form') !== 'form') return answer
  const schema = params.requestedSchema
  const fields = isPlainObject(schema) && isPlainObject(schema.properties) ? schema.properties : {}
  const content: Record<string, unknown> = { ...answer.content }
  for (const [name, field] of Object.entries(fields)) {
    if (content[name] !== undefined || !isPlainObject(field)) continue
    if (Object.hasOwn(field, 'default')) content[name] = field.default
  }
  return { ...answer, content: content as NonNullable<ElicitResult['content']> }
}
