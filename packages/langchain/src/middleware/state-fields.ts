import { AppError } from '@dataagent/schema'
import {
  getInteropZodObjectShape,
  type InteropZodType,
  interopSafeParse,
  isInteropZodObject,
} from '@langchain/core/utils/types'
import { type BaseChannel, DeltaChannel, ReducedValue, StateSchema } from '@langchain/langgraph'
import { schemaMetaRegistry } from '@langchain/langgraph/zod'
import { z } from 'zod'
import type { Fields } from './contract.ts'

/** The fields of a middleware's state, each with its default and with what an update does to it. */
export interface StateFields {
  readonly names: ReadonlySet<string>
  /** As our middlewares declare it. */
  readonly schema: z.ZodObject | undefined
  /** Updates as LangGraph's channels take them: reduced where a field has a reducer. */
  reduce(before: Fields, given: Fields): Record<string, unknown>
}

interface Field {
  channel: BaseChannel
  /** Undefined for a field that LangGraph does not check either. */
  check: InteropZodType | undefined
}

/** Every agent has these; they are not a middleware's own. */
const common: ReadonlySet<string> = new Set(['messages', 'structuredResponse', 'jumpTo'])

/**
 * Reads the schema of a state: zod 3 or 4, LangGraph's `StateSchema` or an annotation. Throws
 * `config_invalid` for what it cannot keep.
 */
export function readStateFields(middleware: string, given: unknown): StateFields {
  const fields = new Map(
    Object.entries(toFields(middleware, given)).filter(([name]) => !common.has(name)),
  )
  const shape = [...fields].map(([name, field]) => [name, toOwnField(name, field)])
  return {
    names: new Set(fields.keys()),
    schema: fields.size === 0 ? undefined : z.object(Object.fromEntries(shape)),
    reduce(before, update) {
      const reduced = Object.entries(update).map(([name, value]) => {
        const field = value === undefined ? undefined : fields.get(name)
        return [name, field ? reduceField(field, before[name], value) : value]
      })
      return Object.fromEntries(reduced)
    },
  }
}

function toFields(middleware: string, given: unknown): Record<string, Field> {
  if (given === undefined) return {}
  const { channels, checks } = readSchema(middleware, given)
  const made = Object.entries(channels).map(([name, channel]): [string, Field] => {
    if (channel instanceof DeltaChannel) throw refused(middleware, `the DeltaValue ${name}`)
    return [name, { channel, check: checks[name] }]
  })
  return Object.fromEntries(made)
}

interface Read {
  channels: Record<string, BaseChannel>
  checks: Record<string, InteropZodType | undefined>
}

function readSchema(middleware: string, given: unknown): Read {
  if (isInteropZodObject(given)) {
    const checks = getInteropZodObjectShape(given) as Record<string, InteropZodType>
    return { channels: schemaMetaRegistry.getChannelsForSchema(given as never), checks }
  }
  if (StateSchema.isInstance(given)) {
    const checks = Object.entries(given.fields).map(([name, field]) => [name, toCheck(field)])
    return { channels: given.getChannels(), checks: Object.fromEntries(checks) }
  }
  const { spec } = given as { spec?: unknown }
  if (typeof spec !== 'object' || spec === null) throw refused(middleware, 'a schema of this kind')
  const channels = Object.entries(spec).map(([name, channel]) => [name, toChannel(channel)])
  return { channels: Object.fromEntries(channels), checks: {} }
}

function toCheck(field: unknown): InteropZodType | undefined {
  if (ReducedValue.isInstance(field)) return field.valueSchema as InteropZodType
  const { schema = field } = field as { schema?: unknown }
  return typeof (schema as { parse?: unknown } | undefined)?.parse === 'function'
    ? (schema as InteropZodType)
    : undefined
}

function toChannel(channel: unknown): BaseChannel {
  return typeof channel === 'function' ? channel() : (channel as BaseChannel)
}

/** Of another zod, so that it is called rather than taken. Private fields need no default. */
function toOwnField(name: string, { channel, check }: Field) {
  return z
    .unknown()
    .optional()
    .transform((value, context) => {
      const isMissing = value === undefined
      const { initialValueFactory: initial } = channel as { initialValueFactory?: () => unknown }
      if (isMissing && (initial || !check)) return initial?.()
      const parsed = check && interopSafeParse(check, value)
      if (parsed === undefined || parsed.success) return parsed ? parsed.data : value
      if (isMissing && name.startsWith('_')) return undefined
      const message = parsed.error.issues.map((issue) => issue.message).join('; ')
      context.issues.push({ code: 'custom', message, input: value })
      return z.NEVER
    })
}

function reduceField({ channel }: Field, before: unknown, given: unknown): unknown {
  const held = channel.fromCheckpoint(before)
  held.update([given])
  return held.get()
}

function refused(middleware: string, what: string): AppError {
  return new AppError(
    'config_invalid',
    `The state of middleware ${middleware} cannot have ${what}.`,
  )
}
