import { MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'
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

/** LangChain's `createAgent`, its state kept in memory. */
export async function createLangChainEngine(setting: Setting): Promise<TurnEngine> {
  const model = new ChatOpenAI({
    ...{ model: setting.model, apiKey: setting.apiKey, maxRetries: 2, streaming: true },
    configuration: { baseURL: `${setting.url}/v1` },
  })
  const weather = tool(async () => toolResult, {
    ...{ name: toolName, description: toolDescription },
    schema: z.object({ city: z.string().describe('The city') }),
  })
  const agent = createAgent({
    ...{ model, tools: [weather], systemPrompt, checkpointer: new MemorySaver() },
  })
  const configs = Array.from({ length: setting.sessions }, (_, i) => ({
    configurable: { thread_id: `${i}` },
  }))
  const past = pastMessages(setting.history)
  for (const config of configs) {
    if (past.length > 0) await agent.graph.updateState(config, { messages: past })
  }
  return {
    async turn(session) {
      const stream = await agent.stream(
        { messages: [{ role: 'user', content: question }] },
        { ...configs[session]!, streamMode: 'messages' },
      )
      for await (const _ of stream);
    },
  }
}
