import OpenAI from 'openai'
import {
  pastMessages,
  question,
  type Setting,
  systemPrompt,
  type TurnEngine,
  toolDescription,
  toolName,
  toolResult,
} from './contract.ts'

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam

const parameters = {
  type: 'object',
  properties: { city: { type: 'string', description: 'The city' } },
  required: ['city'],
}
const tools = [
  {
    type: 'function' as const,
    function: { name: toolName, description: toolDescription, parameters },
  },
]

/** A loop by hand over the `openai` package; it stores nothing. */
export async function createBareEngine(setting: Setting): Promise<TurnEngine> {
  const client = new OpenAI({ apiKey: setting.apiKey, baseURL: `${setting.url}/v1`, maxRetries: 2 })
  const sessions = Array.from({ length: setting.sessions }, (): Message[] => [
    { role: 'system', content: systemPrompt },
    ...pastMessages(setting.history),
  ])

  async function ask(messages: Message[]) {
    const stream = await client.chat.completions.create({
      ...{ model: setting.model, messages, tools, stream: true },
      stream_options: { include_usage: true },
    })
    let content = ''
    const calls: { id: string; name: string; arguments: string }[] = []
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta
      if (delta?.content) content += delta.content
      for (const piece of delta?.tool_calls ?? []) {
        calls[piece.index] ??= { id: '', name: '', arguments: '' }
        const call = calls[piece.index]!
        if (piece.id) call.id = piece.id
        call.name += piece.function?.name ?? ''
        call.arguments += piece.function?.arguments ?? ''
      }
    }
    return { content, calls }
  }

  return {
    async turn(session) {
      const messages = sessions[session]!
      messages.push({ role: 'user', content: question })
      for (;;) {
        const { content, calls } = await ask(messages)
        if (calls.length === 0) {
          messages.push({ role: 'assistant', content })
          return
        }
        const tool_calls = calls.map(({ id, name, arguments: args }) => ({
          ...{ id, type: 'function' as const, function: { name, arguments: args } },
        }))
        messages.push({ role: 'assistant', content, tool_calls })
        for (const call of calls) {
          JSON.parse(call.arguments)
          messages.push({ role: 'tool', tool_call_id: call.id, content: toolResult })
        }
      }
    },
  }
}
