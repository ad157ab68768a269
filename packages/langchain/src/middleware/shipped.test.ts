import { countingTool } from '@dataagent/core/engine/test-engine'
import { defineTool } from '@dataagent/hub'
import { AIMessage } from '@langchain/core/messages'
import { fakeModel } from '@langchain/core/testing'
import { ChatOpenAI } from '@langchain/openai'
import * as langchain from 'langchain'
import {
  anthropicPromptCachingMiddleware,
  bedrockPromptCachingMiddleware,
  ClearToolUsesEdit,
  contextEditingMiddleware,
  dynamicSystemPromptMiddleware,
  humanInTheLoopMiddleware,
  llmToolSelectorMiddleware,
  modelCallLimitMiddleware,
  modelFallbackMiddleware,
  modelRetryMiddleware,
  openAIModerationMiddleware,
  piiMiddleware,
  piiRedactionMiddleware,
  providerToolSearchMiddleware,
  summarizationMiddleware,
  todoListMiddleware,
  toolCallLimitMiddleware,
  toolEmulatorMiddleware,
  toolErrorMiddleware,
  toolRetryMiddleware,
} from 'langchain'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { fromLangChainMiddleware } from './from-langchain-middleware.ts'
import { calls, play } from './test-play.ts'

/** A tool that fails as often as asked, then works. */
function flaky(failures: number) {
  let tries = 0
  const tool = defineTool({
    ...{ name: 'look', description: 'Looks.', input: z.object({}) },
    run() {
      tries += 1
      return tries > failures
        ? 'saw it'
        : { content: [{ type: 'text', text: 'not now' }], isError: true }
    },
  })
  return { tool, tries: () => tries }
}

const chat = ({ standIn }: { standIn: { url: string; apiKey: string } }, model = 'standin') =>
  new ChatOpenAI({
    ...{ model, apiKey: standIn.apiKey, maxRetries: 0, useResponsesApi: false },
    configuration: { baseURL: `${standIn.url}/v1` },
  })

const saying = (...texts: string[]) =>
  texts.reduce((model, text) => model.respond(new AIMessage(text)), fakeModel())

const mail = 'ada@example.com'

// LangChain's types of options are empty where optional fields are exact: hence `as never`.
const ignoring = { unsupportedModelBehavior: 'ignore' } as never

/** Each shipped middleware, and what is seen of it on our engine; or why it is refused. */
const table: Record<string, () => Promise<void> | void> = {
  async todoListMiddleware() {
    const todos = [{ content: 'read', status: 'in_progress' }]
    const { asked, results, offered } = await play({
      middleware: () => [todoListMiddleware()],
      script: [calls('write_todos', { todos }), { text: 'Done.' }],
    })
    expect(asked[0]?.[0]).toContain('write_todos')
    expect(offered[0]).toContain('write_todos')
    expect(results).toMatchObject([{ status: 'success', result: expect.stringContaining('read') }])
  },

  async summarizationMiddleware() {
    const { asked } = await play({
      middleware: () => [
        summarizationMiddleware({
          ...{
            model: saying('They spoke of tea.', 'And then they spoke of tea.'),
            trigger: { messages: 5 },
          },
          keep: { messages: 1 },
        } as never),
      ],
      says: ['One', 'Two', 'Three', 'Four'],
      script: ({ number }) => `Answer ${number}`,
    })
    expect(asked[2]?.[1]).toContain('They spoke of tea.')
    expect(asked[2]?.at(-1)).toBe('Three')
    // A summary lasts: the run after it reads it as well.
    expect(asked[3]?.[1]).toContain('they spoke of tea.')
    expect(asked[3]).not.toContain('One')
  },

  async toolRetryMiddleware() {
    const { tool, tries } = flaky(2)
    const { results } = await play({
      middleware: () => [toolRetryMiddleware({ maxRetries: 3, initialDelayMs: 0 })],
      ...{ tools: [tool], script: [calls('look'), { text: 'Done.' }] },
    })
    expect(tries()).toBe(3)
    expect(results).toMatchObject([{ status: 'success', result: 'saw it' }])
  },

  async toolErrorMiddleware() {
    const { results } = await play({
      middleware: () => [toolErrorMiddleware({ onError: (error) => `So: ${error}` })],
      ...{ tools: [flaky(9).tool], script: [calls('look'), { text: 'Done.' }] },
    })
    expect(results).toMatchObject([{ status: 'error', result: 'So: Error: not now' }])
  },

  async modelRetryMiddleware() {
    const { text, requests } = await play({
      middleware: () => [modelRetryMiddleware({ maxRetries: 2, initialDelayMs: 0 })],
      script: [{ error: 500 }, { error: 503 }, { text: 'At last.' }],
    })
    expect(text).toBe('At last.')
    expect(requests).toHaveLength(3)
    const given = await play({
      middleware: () => [modelRetryMiddleware({ maxRetries: 0, onFailure: () => 'Sorry.' })],
      script: [{ error: 500 }],
    })
    expect(given.text).toBe('Sorry.')
  },

  async modelFallbackMiddleware() {
    const { text, requests } = await play({
      middleware: (engine) => [modelFallbackMiddleware(chat(engine, 'standin-seed7'))],
      script: ({ model }) => (model === 'standin' ? { error: 500 } : `I am ${model}.`),
    })
    expect(text).toBe('I am standin-seed7.')
    expect(requests.map(({ model }) => model)).toEqual(['standin', 'standin-seed7'])
  },

  async toolCallLimitMiddleware() {
    const tool = countingTool('count')
    const limited = (exitBehavior: 'continue' | 'end' | 'error') =>
      play({
        middleware: () => [toolCallLimitMiddleware({ runLimit: 1, exitBehavior } as never)],
        tools: [tool],
        script: ({ turns }) =>
          turns.filter(({ toolResults }) => toolResults.length > 0).length < 2
            ? calls('count')
            : 'Done.',
      })
    const going = await limited('continue')
    expect(tool.runs).toHaveLength(1)
    expect(going.results).toMatchObject([
      { status: 'success' },
      { status: 'error', result: expect.stringContaining('limit exceeded') },
    ])
    expect((await limited('end')).text).toContain('call limit reached')
    expect((await limited('error')).error).toMatchObject({
      error_code: 'quota_exceeded',
      error: expect.stringContaining('ToolCallLimitMiddleware'),
    })
    // It would count in a run: nobody is to believe that it holds for a thread.
    const exits = ['continue', 'end', 'error'] as const
    for (const exitBehavior of exits) {
      for (const fields of [{}, { toolName: 'count' }, { runLimit: 1 }]) {
        const options = { threadLimit: 2, exitBehavior, ...fields } as never
        const make = () => fromLangChainMiddleware(toolCallLimitMiddleware(options))
        expect(make).toThrow('has a threadLimit')
      }
      const options = { runLimit: 0, toolName: 'count', exitBehavior } as never
      fromLangChainMiddleware(toolCallLimitMiddleware(options))
    }
  },

  async modelCallLimitMiddleware() {
    const tool = countingTool('count')
    const { text, requests } = await play({
      middleware: () => [modelCallLimitMiddleware({ runLimit: 2, exitBehavior: 'end' } as never)],
      ...{ tools: [tool], script: () => calls('count') },
    })
    expect(requests).toHaveLength(2)
    expect(text).toContain('limit')
    for (const exitBehavior of ['end', 'error'] as const) {
      const adapt = (options: object) =>
        fromLangChainMiddleware(modelCallLimitMiddleware({ ...options, exitBehavior } as never))
      expect(() => adapt({ threadLimit: 2 })).toThrow('has a threadLimit')
      expect(() => adapt({ threadLimit: 2, runLimit: 1 })).toThrow('has a threadLimit')
      adapt({ runLimit: 0 })
    }
    const { error } = await play({
      middleware: () => [modelCallLimitMiddleware()],
      extra: { threadLimit: 2 },
    })
    expect(error).toMatchObject({
      error_code: 'invalid_request',
      error: expect.stringContaining('threadLimit'),
    })
  },

  async llmToolSelectorMiddleware() {
    const tools = ['one', 'two', 'three'].map((name) => countingTool(name))
    const { requests, offered } = await play({
      middleware: (engine) => [
        llmToolSelectorMiddleware({ model: chat(engine), maxTools: 1 } as never),
      ],
      tools,
      script: ({ body }) =>
        JSON.stringify(body).includes('most relevant tools')
          ? { text: JSON.stringify({ tools: ['two'] }) }
          : 'Done.',
    })
    expect(requests.length).toBeGreaterThan(1)
    expect(offered.at(-1)).toEqual(['two'])
  },

  async piiMiddleware() {
    const guarded = (strategy: 'redact' | 'mask' | 'block', fields: object = {}) =>
      play({
        middleware: () => [piiMiddleware('email', { strategy, ...fields })],
        ...{ says: [`I am ${mail}`], script: () => `You are ${mail}` },
      })
    expect((await guarded('redact')).asked[0]?.[1]).toBe('I am [REDACTED_EMAIL]')
    expect((await guarded('mask')).asked[0]?.[1]).toBe('I am a***@example.com')
    const blocked = await guarded('block')
    expect(blocked.requests).toHaveLength(0)
    expect(blocked.error).toMatchObject({
      error_code: 'forbidden',
      error: expect.stringContaining('PIIMiddleware[email]'),
    })
    const output = { applyToInput: false, applyToOutput: true }
    expect((await guarded('redact', output)).text).toBe('You are [REDACTED_EMAIL]')
    const refused = await guarded('block', output)
    expect(refused.text).toBe('')
    expect(refused.error).toMatchObject({ error_code: 'forbidden' })
  },

  async piiRedactionMiddleware() {
    const { asked, text } = await play({
      middleware: () => [piiRedactionMiddleware({ rules: { email: /\S+@\S+/g } } as never)],
      says: [`I am ${mail}`],
      script: ({ turns }) => `You are ${turns.at(-1)?.text.split(' ').at(-1)}`,
    })
    expect(asked[0]?.[1]).toContain('[REDACTED_EMAIL_')
    expect(text).toBe(`You are ${mail}`)
  },

  async contextEditingMiddleware() {
    const { asked } = await play({
      middleware: () => [
        contextEditingMiddleware({
          edits: [new ClearToolUsesEdit({ trigger: { messages: 4 }, keep: { messages: 1 } })],
        }),
      ],
      tools: [countingTool('count')],
      script: [calls('count'), calls('count'), { text: 'Done.' }],
    })
    expect(asked[2]).toContain('[cleared]')
    expect(asked[2]?.at(-1)).toBe('count done')
  },

  async dynamicSystemPromptMiddleware() {
    const { asked } = await play({
      middleware: () => [
        dynamicSystemPromptMiddleware<{ tone?: string }>(
          (state, { context }) => `Be ${context?.tone}, after ${state.messages.length}.`,
        ),
      ],
      extra: { tone: 'kind' },
    })
    expect(asked[0]?.[0]).toMatch(/You help\.\s*Be kind, after 1\./)
  },

  async toolEmulatorMiddleware() {
    const tool = countingTool('count')
    const { results } = await play({
      middleware: () => [toolEmulatorMiddleware({ model: saying('as if') as never })],
      ...{ tools: [tool], script: [calls('count'), { text: 'Done.' }] },
    })
    expect(tool.runs).toHaveLength(0)
    expect(results).toMatchObject([{ status: 'success', result: 'as if' }])
  },

  /** Without an Anthropic model of LangChain it warns and passes on; `raise` is an error. */
  async anthropicPromptCachingMiddleware() {
    const raising = { unsupportedModelBehavior: 'raise' } as never
    const { faults, error } = await play({
      middleware: () => [anthropicPromptCachingMiddleware(raising)],
    })
    expect(error).toBeDefined()
    expect(faults[0]?.message).toContain('PromptCachingMiddleware')
    const { text } = await play({
      middleware: () => [anthropicPromptCachingMiddleware(ignoring)],
    })
    expect(text).toBe('Done.')
  },

  async bedrockPromptCachingMiddleware() {
    const { text } = await play({
      middleware: () => [bedrockPromptCachingMiddleware(ignoring)],
    })
    expect(text).toBe('Done.')
  },

  /** It asks the provider's own API, which the stand-in does not have. */
  async openAIModerationMiddleware() {
    const { faults, requests } = await play({
      middleware: (engine) => [openAIModerationMiddleware({ model: chat(engine) })],
    })
    expect(faults[0]?.message).toContain('OpenAIModerationMiddleware failed in beforeModel')
    expect(requests).toHaveLength(0)
  },

  /** The provider would run the search itself: only its own chat model can be told so. */
  async providerToolSearchMiddleware() {
    const { faults } = await play({
      middleware: () => [providerToolSearchMiddleware({ searchableTools: ['count'] })],
      tools: [countingTool('count')],
    })
    expect(faults[0]?.message).toContain('requires a provider with server-side tool search')
  },

  humanInTheLoopMiddleware() {
    const options = { interruptOn: { send: true } } as never
    expect(() => fromLangChainMiddleware(humanInTheLoopMiddleware(options))).toThrow(
      "approval: 'ask'",
    )
  },
}

test('the table has every middleware that LangChain ships', () => {
  const shipped = Object.keys(langchain).filter((name) => name.endsWith('Middleware'))
  expect(Object.keys(table).toSorted()).toEqual(
    shipped.filter((name) => name !== 'createMiddleware').toSorted(),
  )
})

test.each(Object.entries(table))("LangChain's %s on our engine [D7.1]", async (_, show) => {
  await show()
})
