import { exampleValue } from './example-value.ts'
import type { Knobs } from './knobs.ts'
import type { MessageReply } from './reply.ts'
import { lastUserText, latestToolResults, type ModelRequest, toolRounds } from './request.ts'

const words =
  'data agents answer questions with tools and show the query behind each number so people can check'.split(
    ' ',
  )

/**
 * What the stand-in says without a script: tool calls as the knobs or the request want them, else
 * an echo.
 */
export function defaultReply(request: ModelRequest, knobs: Knobs): MessageReply {
  const round = toolRounds(request)
  const forced = !['auto', 'none'].includes(request.toolChoice)
  const wanted = forced || (round < knobs.tools && request.toolChoice !== 'none')
  const names = toolNames(request)
  if (wanted && names.length > 0) return { toolCalls: calls(request, knobs, names, round) }
  if (request.textSchema) return { text: structuredText(request, request.textSchema, knobs) }
  return { text: knobs.len === undefined ? echo(request) : prose(knobs.len, knobs.seed) }
}

/** Text of so many tokens, the same for the same seed. */
function prose(tokens: number, seed: number): string {
  return Array.from({ length: tokens }, (_, i) => words[(i * 7 + seed) % words.length]).join(' ')
}

function calls(request: ModelRequest, knobs: Knobs, names: string[], round: number) {
  return Array.from({ length: knobs.par }, (_, i) => {
    const seed = knobs.seed + round * knobs.par + i
    const name = names.includes(request.toolChoice)
      ? request.toolChoice
      : (names[seed % names.length] as string)
    const schema = request.tools.find((tool) => tool.name === name)?.schema ?? {}
    const value = exampleValue(schema, lastUserText(request), seed)
    return { name, arguments: value as Record<string, unknown> }
  })
}

/**
 * Those on offer; for a model without the feature, the first one that its prompt names as JSON
 * does.
 */
function toolNames({ tools, turns }: ModelRequest): string[] {
  if (tools.length > 0) return tools.map(({ name }) => name)
  const prompt = turns.find(({ role }) => role === 'system')?.text ?? ''
  const named = prompt.match(/"name"\s*:\s*"([\w-]+)"/)?.[1]
  return named === undefined ? [] : [named]
}

function structuredText(request: ModelRequest, schema: Record<string, unknown>, knobs: Knobs) {
  const isOpen = Object.keys(schema).length === 0
  const text = lastUserText(request)
  return JSON.stringify(isOpen ? { echo: text } : exampleValue(schema, text, knobs.seed))
}

function echo(request: ModelRequest): string {
  const results = latestToolResults(request)
  if (results.length === 0) return `You said: ${lastUserText(request)}`
  return `The tools answered: ${results.join('; ')}`
}
