import { createToolset, defineTool, type OwnTool } from '@dataagent/hub'
import { AIMessage } from '@langchain/core/messages'
import { summarizationMiddleware, todoListMiddleware, toolRetryMiddleware } from 'langchain'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { ModelMessage } from '../models/index.ts'
import { composeMiddleware } from './compose.ts'
import type { AgentMiddleware, AgentState, ModelCall, ModelReply, ToolReply } from './contract.ts'
import { fromLangChain } from './test-langchain-adapter.ts'
import { createTestRuntime, modelCallIn, replies, says, toolCallIn } from './test-runtime.ts'

interface Scene {
  middleware: AgentMiddleware[]
  /** What the model answers, in turn. */
  answers: ModelReply[]
  tools?: OwnTool[]
  messages?: ModelMessage[]
}

const runtime = createTestRuntime()

/** A run as the engine makes it, with a model that reads its answers from a list. */
async function play({ middleware, answers, tools = [], messages = [says('go')] }: Scene) {
  const composed = composeMiddleware(middleware)
  const toolset = createToolset([...tools, ...composed.tools])
  const requests: ModelCall[] = []
  const summaries: unknown[] = []
  let state: AgentState = { ...composed.initialState(), messages }
  const add = (...more: ModelMessage[]) => {
    state = { ...state, messages: [...state.messages, ...more] }
  }

  for (const answer of answers) {
    const before = await composed.beforeModel(state, runtime)
    if (before.summary) summaries.push(before.summary)
    state = before.state
    const request = modelCallIn(runtime, { messages: state.messages, state })
    const reply = await composed.modelCall(request, async (call) => {
      requests.push(call)
      return answer
    })
    const tool_calls = reply.calls.map(({ id, name, args = {} }) => ({ id, name, arguments: args }))
    add({ role: 'assistant', content: reply.content, tool_calls })
    state = (await composed.afterModel(state, runtime)).state
    for (const { id, name, arguments: args } of openCalls(state.messages)) {
      const entry = toolset.find(name)
      const toolRequest = toolCallIn(runtime, {
        call: { id, name, args: { ...args } },
        entry,
        state,
      })
      const { content, status } = await composed.toolCall(toolRequest, ({ call }) =>
        runTool(entry?.own, call),
      )
      add({ role: 'tool', tool_call_id: id, name, content, is_error: status === 'error' })
    }
  }
  state = (await composed.afterAgent(state, runtime)).state
  return { state, requests, summaries }
}

/** Calls of the last answer that nothing has answered yet. */
function openCalls(messages: readonly ModelMessage[]) {
  const answered = messages.flatMap((message) =>
    message.role === 'tool' ? message.tool_call_id : [],
  )
  const last = messages.findLast((message) => message.role === 'assistant')
  return last?.tool_calls.filter(({ id }) => !answered.includes(id)) ?? []
}

async function runTool(
  tool: OwnTool | undefined,
  call: { id: string; args: Record<string, unknown> },
): Promise<ToolReply> {
  const { principal, signal, run_id } = runtime
  const run = { run_id, untrusted: new Set<string>() }
  const context = { principal, signal, call_id: call.id, tool_call_id: call.id, run }
  try {
    const [part] = (await tool?.run(call.args, context))?.content ?? []
    const text = part?.type === 'text' ? part.text : ''
    return { content: text, status: 'success', outcome: 'ok', result: text }
  } catch (error) {
    return { content: String(error), status: 'error', outcome: 'failed', result: null }
  }
}

function calls(...names: [string, Record<string, unknown>][]): ModelReply {
  const made = names.map(([name, args], i) => ({ id: `${name}-${i}`, name, args, raw: '' }))
  return replies('', { calls: made, finish: 'tool_calls' })
}

/** A tool that fails as often as asked, then works. */
function createFlaky(failures: number) {
  let tries = 0
  const tool = defineTool({
    name: 'look',
    description: 'looks',
    input: z.object({ at: z.string() }),
    run({ at }) {
      tries += 1
      if (tries <= failures) throw new Error('not now')
      return `saw ${at}`
    },
  })
  return { tool, tries: () => tries }
}

const retry = (fields = {}) =>
  fromLangChain(toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 0, ...fields }))

test("LangChain's toolRetry calls a failed tool again [D7.1]", async () => {
  const { tool, tries } = createFlaky(2)
  const answers = [calls(['look', { at: 'the sea' }]), replies('done')]
  const { state } = await play({ middleware: [retry()], tools: [tool], answers })
  expect(tries()).toBe(3)
  expect(state.messages[2]).toMatchObject({ role: 'tool', content: 'saw the sea', is_error: false })
})

test("LangChain's toolRetry gives up, and its message is what the model reads [D7.1]", async () => {
  const { tool, tries } = createFlaky(9)
  const answers = [calls(['look', { at: 'x' }]), replies('done')]
  const { requests } = await play({ middleware: [retry()], tools: [tool], answers })
  expect(tries()).toBe(3)
  expect(requests[1]?.messages[2]).toMatchObject({
    content: expect.stringContaining('failed after 3 attempts'),
    is_error: true,
  })
})

test('toolRetry that is to throw leaves the reply of the tool as it was [D7.1]', async () => {
  const { tool } = createFlaky(9)
  const answers = [calls(['look', { at: 'x' }]), replies('done')]
  const middleware = [retry({ onFailure: 'error' })]
  const { state } = await play({ middleware, tools: [tool], answers })
  expect(state.messages[2]).toMatchObject({ content: 'Error: not now', is_error: true })
})

const todo = { content: 'read', status: 'in_progress' }

test("LangChain's todoList brings its prompt, its tool and its state [D7.1]", async () => {
  const answers = [calls(['write_todos', { todos: [todo] }]), replies('done')]
  const middleware = [fromLangChain(todoListMiddleware())]
  const { state, requests } = await play({ middleware, answers })
  expect(requests[0]?.systemPrompt).toContain('write_todos')
  expect(state.todos).toEqual([todo])
  expect(state.messages[2]).toMatchObject({
    role: 'tool',
    content: expect.stringContaining('Updated todo list'),
  })
})

test("LangChain's todoList answers two plans at once itself, and neither is run [D7.1]", async () => {
  const plan: [string, Record<string, unknown>] = ['write_todos', { todos: [todo] }]
  const answers = [calls(plan, plan), replies('done')]
  const { state } = await play({ middleware: [fromLangChain(todoListMiddleware())], answers })
  expect(state.todos).toEqual([])
  expect(state.messages.slice(2, 4)).toMatchObject([{ is_error: true }, { is_error: true }])
  expect(state.messages).toHaveLength(5)
})

test("LangChain's summarization replaces the older messages, which lasts [D7.1]", async () => {
  const model = { invoke: async () => new AIMessage('they spoke of the sea') }
  const options = { model, trigger: { messages: 6 }, keep: { messages: 2 } }
  const middleware = [
    fromLangChain(
      summarizationMiddleware(options as Parameters<typeof summarizationMiddleware>[0]),
    ),
  ]
  const messages = Array.from({ length: 8 }, (_, i): ModelMessage => {
    if (i % 2 === 0) return says(`question ${i}`)
    return { role: 'assistant', content: `answer ${i}`, tool_calls: [] }
  })
  const { requests, summaries } = await play({ middleware, messages, answers: [replies('done')] })
  const [summary, ...kept] = requests[0]?.messages ?? []
  expect(summary?.content).toContain('they spoke of the sea')
  expect(kept).toEqual(messages.slice(6))
  expect(kept[0]).toBe(messages[6])
  expect(summaries).toEqual([{ content: summary?.content, count: 6 }])
})

test('all three run together [D7.1] [D7.5]', async () => {
  const { tool } = createFlaky(1)
  const model = { invoke: async () => new AIMessage('short') }
  const options = { model, trigger: { messages: 4 }, keep: { messages: 1 } }
  const { state, summaries } = await play({
    middleware: [
      fromLangChain(todoListMiddleware()),
      fromLangChain(
        summarizationMiddleware(options as Parameters<typeof summarizationMiddleware>[0]),
      ),
      retry(),
    ],
    tools: [tool],
    answers: [
      calls(['look', { at: 'a' }], ['write_todos', { todos: [todo] }]),
      replies('then'),
      replies('done'),
    ],
  })
  expect(state.todos).toEqual([todo])
  expect(summaries.length).toBeGreaterThan(0)
})
