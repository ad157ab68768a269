import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { type ModelMessage, stepCountIs, streamText, tool } from 'ai'
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

/** `streamText` of the `ai` package; it stores nothing. */
export async function createAiEngine(setting: Setting): Promise<TurnEngine> {
  const provider = createOpenAICompatible({
    ...{
      name: 'standin',
      apiKey: setting.apiKey,
      baseURL: `${setting.url}/v1`,
      includeUsage: true,
    },
  })
  const model = provider(setting.model)
  const tools = {
    [toolName]: tool({
      description: toolDescription,
      inputSchema: z.object({ city: z.string().describe('The city') }),
      execute: async () => toolResult,
    }),
  }
  const sessions = Array.from({ length: setting.sessions }, (): ModelMessage[] =>
    pastMessages(setting.history),
  )
  return {
    async turn(session) {
      const messages = sessions[session]!
      messages.push({ role: 'user', content: question })
      const result = streamText({
        ...{
          model,
          system: systemPrompt,
          messages,
          tools,
          maxRetries: 2,
          stopWhen: stepCountIs(5),
        },
      })
      for await (const _ of result.fullStream);
      messages.push(...(await result.response).messages)
    },
  }
}
