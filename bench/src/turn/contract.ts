/** An agent loop that takes turns: one user message, one tool call, one answer of twenty tokens. */
export interface TurnEngine {
  /** Takes the next turn in the session of that number. */
  turn(session: number): Promise<void>
  close?(): Promise<void>
}

/** What an engine's process is made with. */
export interface Setting {
  engine: EngineName
  /** Base of the stand-in's OpenAI API. */
  url: string
  apiKey: string
  model: string
  /** Messages that every session holds before the first turn. */
  history: number
  sessions: number
}

export const engineNames = ['bare loop on openai', 'ours', 'ai', 'langchain'] as const
export type EngineName = (typeof engineNames)[number]

/** `count` turns, `atOnce` at a time, each in the next session. */
export interface Order {
  count: number
  atOnce: number
}

export const systemPrompt = 'You are a helpful assistant. Use tools where they help.'
export const question = 'What is the weather in Hangzhou today?'
export const toolName = 'get_weather'
export const toolDescription = 'Gives the weather of a city.'
export const toolResult = 'Hangzhou: 18 degrees, light rain, wind from the east.'

/** Past messages, user and assistant in turn. */
export function pastMessages(count: number): { role: 'user' | 'assistant'; content: string }[] {
  return Array.from({ length: count }, (_, i) => ({
    role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `${i}: a message of the length that messages have, more or less, in a conversation.`,
  }))
}
