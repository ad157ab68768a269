import { AppError } from '@dataagent/schema'
import { z } from 'zod'

const price = z.number().nonnegative()

/** What is known of a model besides its name. */
const modelFactsSchema = z.strictObject({
  /** Tokens that prompt and answer may have together. */
  context_window: z.int().positive(),
  /** Tokens of an answer, where a request does not say. */
  max_output: z.int().positive().optional(),
  /** False for a model that calls tools only by its text. */
  calls_tools: z.boolean().optional(),
  /** Of a million tokens. None are built in: they change, and a wrong one misleads. */
  price: z.strictObject({ prompt: price, completion: price, cached: price.optional() }).optional(),
})

export type ModelFacts = z.infer<typeof modelFactsSchema>

/** By `provider:model`, or by how that begins. */
export type ModelTable = Readonly<Record<string, ModelFacts>>

const known: ModelTable = {
  'openai:gpt-3.5': { context_window: 16_385 },
  'openai:gpt-4': { context_window: 8_192 },
  'openai:gpt-4-turbo': { context_window: 128_000 },
  'openai:gpt-4o': { context_window: 128_000 },
  'openai:gpt-4.1': { context_window: 1_047_576 },
  'openai:gpt-5': { context_window: 400_000 },
  'openai:o1': { context_window: 200_000 },
  'openai:o3': { context_window: 200_000 },
  'openai:o4': { context_window: 200_000 },
  'openai:deepseek': { context_window: 128_000 },
  'openai:qwen': { context_window: 131_072 },
  'openai:glm-4': { context_window: 128_000 },
  'openai:kimi': { context_window: 131_072 },
  'openai:moonshot': { context_window: 131_072 },
  'openai:llama': { context_window: 131_072 },
  'openai:mistral': { context_window: 131_072 },
  'anthropic:claude': { context_window: 200_000, max_output: 8_192 },
  'anthropic:claude-3': { context_window: 200_000, max_output: 4_096 },
}

const unknown: ModelFacts = { context_window: 128_000 }

/** Looks a model up: the entry that says most of its name. */
export function createModelTable(given: ModelTable = {}): (name: string) => ModelFacts {
  const own = Object.entries(given).map(([name, facts]) => [name, parseFacts(name, facts)] as const)
  const entries = [...own, ...Object.entries(known)]
  return (name) => {
    const fitting = entries.filter(([start]) => name.startsWith(start))
    const [first, ...others] = fitting.map(([start, facts]) => ({ start, facts }))
    if (first === undefined) return unknown
    return others.reduce((a, b) => (b.start.length > a.start.length ? b : a), first).facts
  }
}

function parseFacts(name: string, facts: unknown): ModelFacts {
  const parsed = modelFactsSchema.safeParse(facts)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map(({ path }) => path.join('.')).join(', ')
  throw new AppError('config_invalid', `The facts of the model ${name} do not fit: ${fields}`)
}
