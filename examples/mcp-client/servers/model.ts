export interface Message {
  role: 'user' | 'assistant' | 'tool'
  content: string
  tool_call_id?: string
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
}

interface ChatRequest {
  messages: Message[]
  tools: { type: string; function: { name: string } }[]
}

/**
 * Stands in for a chat API with the wire of `POST /v1/chat/completions`: it reads the file that is
 * asked for, then says what it holds.
 */
export async function chat({ messages, tools }: ChatRequest): Promise<Message> {
  const last = messages.at(-1)
  if (last?.role === 'tool') return { role: 'assistant', content: `It says ${last.content}.` }
  const [, path] = /What does (\S+) say/.exec(`${last?.content}`) ?? []
  const call = { name: `${tools[0]?.function.name}`, arguments: JSON.stringify({ path }) }
  return { role: 'assistant', content: '', tool_calls: [{ id: 'call-1', function: call }] }
}
