import {
  isPlainObject,
  type JsonObject,
  judgeJson,
  readJson,
  type ToolDefinition,
  toolAnnotationsSchema,
} from '@dataagent/schema'
import { sha256, toCanonicalJson } from '../canonical-json.ts'
import { isJsonBeyond } from '../json-beyond.ts'
import { scanDefinition, textLimits } from '../poisoning/index.ts'
import type { SchemaJudgement } from '../validation/index.ts'
import { type CarriedFields, pickCarried } from './carried.ts'

/** As long as the column for it. */
export const nameMax = 191

const fields = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
] as const

/** What is larger is looked at no further: it is not even shown as one that is too large. */
const pickedMax = 2 * textLimits.definition

/** The part of what a server gave that is the definition. Undefined where it is none. */
export function pickDefinition(raw: unknown): Record<string, unknown> | undefined {
  if (!isPlainObject(raw) || typeof raw.name !== 'string' || raw.name === '') return undefined
  const picked: Record<string, unknown> = {}
  for (const field of fields) if (raw[field] !== undefined) picked[field] = raw[field]
  if (isJsonBeyond(picked, pickedMax)) return undefined
  return judgeJson(picked).status === 'ok' ? picked : undefined
}

/** The definition's hash: the same for the same JSON value. */
export function hashDefinition(picked: Record<string, unknown>): string {
  return sha256(toCanonicalJson(picked))
}

export type ReadDefinition =
  | { status: 'ok'; definition: ToolDefinition }
  | { status: 'unusable'; definition: ToolDefinition; why: string }

/** Reads leniently: what is left out has its default, a wrong annotation is none. */
export function readDefinition(
  picked: Record<string, unknown>,
  judgeSchema: (schema: JsonObject) => SchemaJudgement,
): ReadDefinition {
  const { title, description, inputSchema = { type: 'object' }, outputSchema } = picked
  const definition: ToolDefinition = {
    name: picked.name as string,
    description: typeof description === 'string' ? description : '',
    inputSchema: isPlainObject(inputSchema) ? (inputSchema as JsonObject) : { type: 'object' },
  }
  if (typeof title === 'string') definition.title = title
  if (isPlainObject(outputSchema)) definition.outputSchema = outputSchema as JsonObject
  const annotations = toolAnnotationsSchema.safeParse(picked.annotations)
  if (annotations.success) definition.annotations = annotations.data
  const why = findFault(picked, definition, judgeSchema)
  if (why === undefined) return { status: 'ok', definition }
  return { status: 'unusable', definition, why }
}

/** A version as it was stored, neutralised. */
export function neutraliseStored(json: string): ToolDefinition & CarriedFields {
  const picked = readJson(json) as Record<string, unknown>
  const read = readDefinition(picked, () => ({ status: 'plain' }))
  return { ...scanDefinition(read.definition).definition, ...pickCarried(picked) }
}

function findFault(
  { name, inputSchema, outputSchema }: Record<string, unknown>,
  definition: ToolDefinition,
  judgeSchema: (schema: JsonObject) => SchemaJudgement,
): string | undefined {
  if ((name as string).length > nameMax) return `its name has more than ${nameMax} characters`
  if ((name as string).trim() !== name) return 'its name begins or ends with a blank'
  for (const [what, given] of Object.entries({ inputSchema, outputSchema })) {
    if (given !== undefined && !isPlainObject(given)) return `its ${what} is not an object`
  }
  const { inputSchema: input, outputSchema: output } = definition
  for (const [what, schema] of Object.entries({ input, output })) {
    const judgement = schema ? judgeSchema(schema) : undefined
    if (judgement?.status === 'rejected') return `its ${what}Schema: ${judgement.why}`
  }
  return undefined
}
