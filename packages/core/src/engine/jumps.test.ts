import { createTool, createToolRegistry } from '@dataagent/mcp'
import { type Script, toolRounds } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { AgentMiddleware, StateUpdate } from '../middleware/index.ts'
import type { AssistantMessage } from '../models/index.ts'
import { AgentLoop } from './agent-loop.ts'
import { countingTool, of, startEngine, textOf } from './test-engine.ts'

interface Played {
  text: string
  /** What each request of the model held, without the system prompt. */
  asked: string[][]
  /** How often the tool ran. */
  runs: number
  error: string | undefined
}

type Play = (middleware: AgentMiddleware[], script: Script) => Promise<Played>

const engines: Record<string, Play> = {
  async executor(middleware, script) {
    const tool = countingTool('count')
    await using engine = await startEngine({ script, tools: [tool], agent: { middleware } })
    const events = await engine.say('Go')
    const error = of(events, 'error')[0]?.error
    const asked = engine.standIn.requests.map(toTexts)
    return { text: textOf(events), asked, runs: tool.runs.length, error }
  },
  async AgentLoop(middleware, script) {
    await using engine = await startEngine({ script })
    const registry = createToolRegistry()
    let runs = 0
    const handler = () => {
      runs += 1
      return 'count done'
    }
    registry.register(createTool({ name: 'count', description: 'Counts.', handler }))
    const { model } = engine.agent
    const loop = new AgentLoop({ model, registry, systemPrompt: 'You help.', hooks: middleware })
    const { text, error } = await loop.run('Go').then(
      (result) => ({ text: result.text, error: undefined }),
      (thrown: Error) => ({ text: '', error: thrown.message }),
    )
    return { text, asked: engine.standIn.requests.map(toTexts), runs, error }
  },
}

function toTexts({ turns }: { turns: { text: string; toolResults: { text: string }[] }[] }) {
  return turns.slice(1).map(({ text, toolResults }) => toolResults[0]?.text ?? text)
}

const call = { name: 'count', arguments: {} }
const own: AssistantMessage = {
  ...{ role: 'assistant', content: '', tool_calls: [{ id: 'own-1', ...call }] },
}

/** Gives the update the first time. */
function once(hook: 'beforeAgent' | 'beforeModel' | 'afterModel' | 'afterAgent') {
  return (update: (messages: Messages) => StateUpdate): AgentMiddleware => {
    let times = 0
    return {
      name: 'jumping',
      [hook]: ({ messages }: { messages: Messages }) => {
        times += 1
        return times === 1 ? update(messages) : undefined
      },
    }
  }
}
type Messages = Parameters<NonNullable<AgentMiddleware['beforeModel']>>[0]['messages']

/** Counts how often the model was about to be asked. */
function createCounter() {
  const counter = { times: 0 }
  const middleware: AgentMiddleware = {
    name: 'counter',
    beforeModel() {
      counter.times += 1
      return undefined
    },
  }
  return Object.assign(counter, { middleware })
}

describe.each(Object.entries(engines))('%s: a hook that jumps [D7.1]', (_name, play) => {
  test('to the model goes past the hooks in between', async () => {
    for (const hook of ['beforeAgent', 'beforeModel'] as const) {
      const counter = createCounter()
      const jumping = once(hook)(() => ({ jumpTo: 'model' }))
      const script = [{ toolCalls: [call] }, { text: 'Done.' }]
      const played = await play([jumping, counter.middleware], script)
      expect(played).toMatchObject({ text: 'Done.', runs: 1 })
      expect(counter.times).toBe(1)
    }
  })

  test('to the model after a reply asks again, without what was called', async () => {
    const wrong = { role: 'user', content: 'Not like that.' } as const
    const jumping = once('afterModel')((messages) => ({
      ...{ messages: [...messages, wrong], jumpTo: 'model' },
    }))
    const script = [{ text: 'Hm. ', toolCalls: [call] }, { text: 'Done.' }]
    const { asked, runs, error } = await play([jumping], script)
    expect({ runs, error }).toEqual({ runs: 0, error: undefined })
    expect(asked).toEqual([['Go'], ['Go', 'Hm. ', 'Not like that.']])
  })

  test('to the model after a reply that it leaves as it is asks again too', async () => {
    const counter = createCounter()
    const jumping = once('afterModel')(() => ({ jumpTo: 'model' }))
    const script = [{ text: 'Hm.' }, { toolCalls: [call] }, { text: 'Done.' }]
    const { asked } = await play([jumping, counter.middleware], script)
    expect(asked).toEqual([['Go'], ['Go', 'Hm.'], ['Go', 'Hm.', '', 'count done']])
    expect(counter.times).toBe(2)
  })

  test('to the tools runs what it calls itself, and the model reads the results', async () => {
    for (const hook of ['beforeAgent', 'beforeModel'] as const) {
      const jumping = once(hook)((messages) => ({
        ...{ messages: [...messages, own], jumpTo: 'tools' },
      }))
      const { text, asked, runs } = await play([jumping], [{ text: 'Done.' }])
      expect({ text, runs }).toEqual({ text: 'Done.', runs: 1 })
      expect(asked).toEqual([['Go', '', 'count done']])
    }
  })

  test('to the tools after a reply runs what that calls', async () => {
    const jumping = once('afterModel')(() => ({ jumpTo: 'tools' }))
    const played = await play([jumping], [{ toolCalls: [call] }, { text: 'Done.' }])
    expect(played).toMatchObject({ text: 'Done.', runs: 1 })
  })

  test('to tools that nobody calls, or back after the run, is refused', async () => {
    const idle = once('beforeModel')(() => ({ jumpTo: 'tools' }))
    expect((await play([idle], [{ text: 'Done.' }])).error).toContain('no open call')
    const back = once('afterAgent')(() => ({ jumpTo: 'model' }))
    expect((await play([back], [{ text: 'Done.' }])).error).toContain('after the run')
  })
})

test('afterAgent reads the answer that the run has given as the last message', async () => {
  const read: unknown[] = []
  const reader: AgentMiddleware = {
    name: 'reader',
    afterAgent({ messages }) {
      read.push(messages.map(({ role, content }) => [role, content]))
      return undefined
    },
  }
  const look = countingTool('look')
  await using engine = await startEngine({
    tools: [look],
    agent: { middleware: [reader] },
    script: (request) =>
      toolRounds(request) > 0
        ? { text: 'There.' }
        : { toolCalls: [{ name: 'look', arguments: {} }] },
  })
  await engine.say('Go')
  expect(read).toEqual([
    [
      ['user', 'Go'],
      ['assistant', ''],
      ['tool', 'look done'],
      ['assistant', 'There.'],
    ],
  ])
})
