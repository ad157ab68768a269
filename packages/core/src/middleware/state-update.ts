import { AppError, toFieldErrors } from '@dataagent/schema'
import type { z } from 'zod'
import type { AgentMiddleware, AgentState, StateUpdate, SummaryUpdate } from './contract.ts'

/** The state after a hook, and what the engine has to do about it. */
export interface HookResult {
  readonly state: AgentState
  readonly summary?: SummaryUpdate | undefined
  readonly jumpTo?: StateUpdate['jumpTo'] | undefined
}

/** Fields of every update; no middleware has them in its own schema. */
const commonFields: ReadonlySet<string> = new Set(['messages', 'summary', 'jumpTo'])
const jumpTargets: ReadonlySet<unknown> = new Set(['end', 'model', 'tools'])

/** Refuses a schema that has no defaults or takes a common field. Throws `config_invalid`. */
export function assertStateSchema({ name, stateSchema }: AgentMiddleware): void {
  if (!stateSchema) return
  const taken = Object.keys(stateSchema.shape).find((field) => commonFields.has(field))
  if (taken) {
    throw new AppError('config_invalid', `the state of middleware ${name} may not have "${taken}"`)
  }
  if (stateSchema.safeParse({}).success) return
  throw new AppError(
    'config_invalid',
    `the state of middleware ${name} needs a default for every field that is not optional`,
  )
}

/** What a hook gave, put into the state. Throws `invalid_result` where it cannot be. */
export function applyUpdate(
  before: HookResult,
  update: StateUpdate | null | undefined,
  { stateSchema }: AgentMiddleware,
): HookResult {
  if (update === undefined || update === null) return before
  if (typeof update !== 'object') throw refused('gave something that is no state update')
  const { summary, jumpTo } = update
  if (jumpTo !== undefined && !jumpTargets.has(jumpTo)) {
    throw refused(`asked to jump to ${JSON.stringify(jumpTo)}; there are end, model and tools`)
  }
  if (summary && before.summary) throw refused('summarised what another had just summarised')
  return {
    state: { ...before.state, ...toFields(update, stateSchema) },
    summary: summary ?? before.summary,
    jumpTo,
  }
}

function toFields(update: StateUpdate, schema: z.ZodObject | undefined): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(update)) {
    if (value === undefined) continue
    if (field === 'messages') fields.messages = toList(value)
    else if (!commonFields.has(field)) fields[field] = toOwnField(schema, field, value)
  }
  return fields
}

function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw refused('gave messages that are no list')
}

function toOwnField(schema: z.ZodObject | undefined, field: string, value: unknown): unknown {
  const own = schema && Object.hasOwn(schema.shape, field) ? schema.shape[field] : undefined
  if (own === undefined) throw refused(`may not set "${field}": its stateSchema does not have it`)
  const parsed = (own as z.ZodType).safeParse(value)
  if (parsed.success) return parsed.data
  const errors = toFieldErrors(parsed.error, value)
  const told = errors.map(({ path, expected, got }) => `${path} expected ${expected}, got ${got}`)
  throw refused(`gave a "${field}" that does not fit: ${told.join('; ')}`)
}

function refused(what: string): AppError {
  return new AppError('invalid_result', what)
}
