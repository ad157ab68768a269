import type { ServerQuestions } from '@dataagent/mcp'
import { isPlainObject } from '@dataagent/schema'
import { takeOutHidden } from '../poisoning/index.ts'

const messageMax = 4_096
const promptMax = 32_768
const labelMax = 1_024
/** A form is an object of plain fields; deeper than this nobody shows it. */
const depthMax = 8

/**
 * What a server asks, with its name before its words and nothing hidden in them: who is asked may
 * take them for the words of the platform.
 */
export function nameQuestions(
  { elicit, sample, listRoots }: ServerQuestions,
  server: string,
): ServerQuestions {
  return {
    elicit:
      elicit &&
      ((params, context) => {
        const message = `The server ${server} asks: ${toShown(params.message, messageMax)}`
        if (!('requestedSchema' in params)) return elicit({ ...params, message }, context)
        const requestedSchema = toShownSchema(params.requestedSchema) as never
        return elicit({ ...params, message, requestedSchema }, context)
      }),
    sample:
      sample &&
      ((params, context) => {
        const { systemPrompt } = params
        const said = typeof systemPrompt === 'string' ? toShown(systemPrompt, promptMax) : ''
        const named = `The server ${server} asks this. ${said}`.trim()
        const messages = params.messages.map(toShownMessage)
        return sample({ ...params, messages, systemPrompt: named }, context)
      }),
    listRoots,
  }
}

function toShown(text: string, max: number): string {
  const whole = takeOutHidden(text.slice(0, 2 * max)).text
  return whole.length <= max ? whole : `${whole.slice(0, max - 1).toWellFormed()}…`
}

/** Names of fields and what may be chosen stay: the server knows them by these. */
function toShownSchema(schema: unknown, depth = 0): unknown {
  if (depth > depthMax) return undefined
  if (Array.isArray(schema)) return schema.map((item) => toShownSchema(item, depth + 1))
  if (!isPlainObject(schema)) return schema
  const fields = Object.entries(schema).map(([key, value]) => {
    if (shownKeys.has(key)) return [key, toShownLabels(value, depth + 1)]
    return [key, toShownSchema(value, depth + 1)]
  })
  return Object.fromEntries(fields)
}

const shownKeys = new Set(['title', 'description', 'enumNames'])

function toShownLabels(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return toShown(value, labelMax)
  if (!Array.isArray(value)) return toShownSchema(value, depth)
  return value.map((item) => (typeof item === 'string' ? toShown(item, labelMax) : item))
}

function toShownMessage<T>(message: T): T {
  if (!isPlainObject(message)) return message
  const { content } = message
  const shown = Array.isArray(content) ? content.map(toShownContent) : toShownContent(content)
  return { ...message, content: shown } as T
}

function toShownContent(content: unknown): unknown {
  if (!isPlainObject(content) || typeof content.text !== 'string') return content
  return { ...content, text: takeOutHidden(content.text).text }
}
