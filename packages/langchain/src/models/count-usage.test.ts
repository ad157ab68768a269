import type { ModelUsage } from '@dataagent/core'
import { collect, countingTool, of, person, startEngine } from '@dataagent/core/engine/test-engine'
import type { ExecutionEvent } from '@dataagent/schema'
import { countPromptTokens, type Script, startModelStandIn } from '@dataagent/testkit'
import { InMemoryCache } from '@langchain/core/caches'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { ChatOpenAI } from '@langchain/openai'
import {
  createAgent,
  llmToolSelectorMiddleware,
  summarizationMiddleware,
  toolEmulatorMiddleware,
} from 'langchain'
import { describe, expect, test } from 'vitest'
import { makerOf } from '../executor/test-makers.ts'
import { fromLangChainMiddleware, type LangChainMiddleware } from '../middleware/index.ts'
import { countingUsage } from './count-usage.ts'
import { fromLangChainModel } from './from-langchain-model.ts'
import { toLangChainModel } from './to-langchain-model.ts'

type Make = (model: BaseChatModel) => LangChainMiddleware
type Whose = 'ours' | "LangChain's"

const makes: Record<string, Make> = {
  'a summary': (model) =>
    summarizationMiddleware({ model, trigger: { messages: 3 }, keep: { messages: 1 } } as never),
  'a choice of tools': (model) => llmToolSelectorMiddleware({ model, maxTools: 1 } as never),
  "a choice of tools by the agent's own model": () =>
    llmToolSelectorMiddleware({ maxTools: 1 } as never),
  'a made up result': (model) => toolEmulatorMiddleware({ model: model as never }),
}

const script: Script = ({ body, turns, tools }) => {
  const asked = JSON.stringify(body)
  if (asked.includes('most relevant tools')) {
    const chosen = { tools: ['look'] }
    const [form] = tools
    if (form === undefined) return JSON.stringify(chosen)
    return { toolCalls: [{ name: form.name, arguments: chosen }] }
  }
  if (asked.includes('emulating a tool call')) return 'Emulated.'
  const mayCall = tools.length > 0 && turns.at(-1)?.role === 'user'
  return mayCall ? { toolCalls: [{ name: 'look', arguments: {} }] } : 'Done.'
}

/** The usage of two turns, and what the stand-in had to read and was asked for them. */
async function play(way: 'engine' | 'graph', make: Make | undefined, whose: Whose) {
  const given: LangChainMiddleware[] = []
  const maker = makerOf((parts) => createAgent(parts.agent({ middleware: given })))
  await using engine = await startEngine({
    ...{ script, tools: [countingTool('look'), countingTool('leap')] },
    ...(way === 'graph' && { maker }),
  })
  const { standIn, agent, session_id } = engine
  const chat = new ChatOpenAI({
    ...{ model: 'standin', apiKey: standIn.apiKey, maxRetries: 0, useResponsesApi: false },
    configuration: { baseURL: `${standIn.url}/v1` },
  })
  const asked = whose === 'ours' ? toLangChainModel(agent.model) : chat
  given.push(...(make ? [make(asked)] : []))
  const middleware = way === 'engine' ? given.map((one) => fromLangChainMiddleware(one)) : []
  const model = whose === 'ours' ? agent.model : fromLangChainModel(chat)
  const executor = engine.createExecutor({ agent: { ...agent, model, middleware } })
  const events: ExecutionEvent[] = []
  for (const text of ['Go', 'Go on']) {
    events.push(...(await collect(executor.execute(text, session_id, { principal: person }))))
  }
  const { requests } = standIn
  const sum = (field: 'prompt_tokens' | 'completion_tokens') =>
    of(events, 'usage').reduce((total, usage) => total + usage[field], 0)
  return {
    ...{ requests, prompt: sum('prompt_tokens'), completion: sum('completion_tokens') },
    expected: requests.reduce((total, request) => total + countPromptTokens(request), 0),
  }
}

describe.each(['engine', 'graph'] as const)('on the %s', (way) => {
  describe.each(['ours', "LangChain's"] as const)('with a model that is %s', (whose) => {
    test.each(Object.keys(makes))('the usage of a run has what %s costs', async (name) => {
      const { requests, prompt, completion, expected } = await play(way, makes[name], whose)
      expect(requests.length).toBeGreaterThan(4)
      expect(prompt).toBe(expected)
      expect(completion).toBeGreaterThanOrEqual(requests.length)
    })
  })
})

test("an answer of LangChain's cache costs nothing", async () => {
  await using standIn = await startModelStandIn({ script: () => 'Done.' })
  const chat = new ChatOpenAI({
    ...{ model: 'standin', apiKey: standIn.apiKey, maxRetries: 0, useResponsesApi: false },
    ...{ configuration: { baseURL: `${standIn.url}/v1` }, cache: new InMemoryCache() },
  })
  let counted = 0
  const addUsage = ({ prompt_tokens }: ModelUsage) => {
    counted += prompt_tokens
  }
  const ask = () => countingUsage(addUsage, () => chat.invoke('Go'))
  expect((await ask()).text).toBe('Done.')
  expect((await ask()).text).toBe('Done.')
  expect(standIn.requests).toHaveLength(1)
  expect(counted).toBe(countPromptTokens(standIn.requests[0]!))
})
