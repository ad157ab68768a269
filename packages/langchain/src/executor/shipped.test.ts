import { countingTool, of, startEngine, textOf } from '@dataagent/core/engine/test-engine'
import { type Script, toolRounds } from '@dataagent/testkit'
import { AIMessage } from '@langchain/core/messages'
import { fakeModel } from '@langchain/core/testing'
import {
  ClearToolUsesEdit,
  contextEditingMiddleware,
  createAgent,
  llmToolSelectorMiddleware,
  modelCallLimitMiddleware,
  modelFallbackMiddleware,
  summarizationMiddleware,
  toolEmulatorMiddleware,
} from 'langchain'
import { expect, test } from 'vitest'
import type { AnyMiddleware, GraphParts } from './contract.ts'
import { makerOf } from './test-makers.ts'

const saying = (...texts: string[]) =>
  texts.reduce((model, text) => model.respond(new AIMessage(text)), fakeModel())

const count = countingTool('count')

/** Turns of a graph that has this middleware of LangChain's. */
async function play(
  makeMiddleware: (parts: GraphParts) => AnyMiddleware,
  { script, says = ['Go'] }: { script: Script; says?: readonly string[] },
) {
  const maker = makerOf((parts) =>
    createAgent(parts.agent({ middleware: [makeMiddleware(parts)] })),
  )
  const tools = [count, countingTool('weigh')]
  count.runs.length = 0
  await using engine = await startEngine({ maker, tools, script })
  const events = []
  for (const text of says) events.push(...(await engine.say(text)))
  const requests = [...engine.standIn.requests]
  return {
    ...{ events, text: textOf(events), results: of(events, 'tool_result') },
    /** What each request held: the system prompt first. */
    asked: requests.map(({ turns }) =>
      turns.map(({ text, toolResults }) => toolResults[0]?.text ?? text),
    ),
    offered: requests.map(({ tools: offered }) => offered.map(({ name }) => name)),
  }
}

const calls = { toolCalls: [{ name: 'count', arguments: {} }] }

test('summaries of LangChain last as long as the thread', async () => {
  const model = saying('They spoke of tea.', 'And then they spoke of tea.')
  const options = { model, trigger: { messages: 5 }, keep: { messages: 1 } }
  const { asked, events } = await play(() => summarizationMiddleware(options as never), {
    script: ({ number }) => `Answer ${number}`,
    says: ['One', 'Two', 'Three', 'Four'],
  })
  expect(of(events, 'error')).toEqual([])
  expect(asked).toHaveLength(4)
  expect(asked[2]?.[1]).toContain('They spoke of tea.')
  expect(asked[2]?.at(-1)).toBe('Three')
  expect(asked[3]?.[1]).toContain('spoke of tea.')
  expect(asked[3]).not.toContain('One')
})

test('limits of a thread hold over its turns', async () => {
  const options = { threadLimit: 1, exitBehavior: 'end' }
  const { asked, text } = await play(() => modelCallLimitMiddleware(options as never), {
    script: () => 'Once.',
    says: ['One', 'Two'],
  })
  expect(asked).toHaveLength(1)
  expect(text).toMatch(/^Once\..*thread level call limit/)
})

test('another model of LangChain answers where the first does not', async () => {
  const { events, text } = await play(
    () => modelFallbackMiddleware(saying('I am another.') as never),
    { script: () => ({ error: 400 }) },
  )
  expect(text).toBe('I am another.')
  expect(of(events, 'error')).toEqual([])
})

test('a model chooses the tools that another is told of', async () => {
  const { offered, text } = await play(() => llmToolSelectorMiddleware({ maxTools: 1 } as never), {
    script: ({ body, tools }) => {
      if (!JSON.stringify(body).includes('most relevant tools')) return 'Done.'
      const arguments_ = { tools: ['weigh'] }
      return { toolCalls: [{ name: tools[0]?.name ?? '', arguments: arguments_ }] }
    },
  })
  expect(offered).toHaveLength(2)
  expect(offered[1]).toEqual(['weigh'])
  expect(text).toBe('Done.')
})

test('old results of tools are cleared for the model', async () => {
  const edits = [new ClearToolUsesEdit({ trigger: { messages: 4 }, keep: { messages: 1 } })]
  const { asked, results } = await play(() => contextEditingMiddleware({ edits }), {
    script: (request) => (toolRounds(request) < 2 ? calls : 'Done.'),
  })
  expect(asked[2]).toContain('[cleared]')
  expect(asked[2]?.at(-1)).toBe('count done')
  expect(results.map(({ result }) => result)).toEqual(['count done', 'count done'])
})

test('a model makes up what a tool would have given, which is not run', async () => {
  const { asked, results, text } = await play(
    () => toolEmulatorMiddleware({ model: saying('as if') as never }),
    { script: (request) => (toolRounds(request) < 1 ? calls : 'Done.') },
  )
  expect(count.runs).toEqual([])
  expect(results).toMatchObject([{ status: 'success', result: 'as if' }])
  expect(asked[1]?.at(-1)).toBe('as if')
  expect(text).toBe('Done.')
})
