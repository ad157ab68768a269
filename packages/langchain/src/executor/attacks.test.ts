import { createRetryBudget, withRetry } from '@dataagent/core'
import {
  collect,
  countingTool,
  of,
  person,
  startEngine,
  textOf,
} from '@dataagent/core/engine/test-engine'
import { systemClock } from '@dataagent/guard'
import { toolRounds } from '@dataagent/testkit'
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { Command, interrupt } from '@langchain/langgraph'
import { createAgent, createMiddleware, modelRetryMiddleware } from 'langchain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ScriptedModel } from '../backend/test-scripted-model.ts'
import { createCheckpointSaver } from '../checkpoints/index.ts'
import type { GraphParts, LangChainExecutorOptions } from './contract.ts'
import { makerOf } from './test-makers.ts'

type Options = Parameters<typeof startEngine>[0]
type CreateGraph = LangChainExecutorOptions['createGraph']

const startGraph = (createGraph: CreateGraph, options: Options = {}) =>
  startEngine({ ...options, maker: makerOf(createGraph) })

const plainGraph = (parts: GraphParts) => createAgent(parts.agent())

const cutOnce = () => {
  let asked = 0
  return () => {
    asked += 1
    return asked === 1 ? { text: 'Here I am, and', cut: 2 } : { text: 'Here.' }
  }
}

describe('what is said', () => {
  test('is what a middleware answers in the place of the model', async () => {
    const cache = createMiddleware({
      name: 'cache',
      wrapModelCall: async () => new AIMessage('As ever.'),
    })
    await using engine = await startGraph((parts) =>
      createAgent(parts.agent({ middleware: [cache] })),
    )
    expect(textOf(await engine.say('Go'))).toBe('As ever.')
    expect(engine.standIn.requests).toEqual([])
  })

  test('is what a middleware answers in the place of half a reply', async () => {
    const calms = modelRetryMiddleware({ maxRetries: 0, onFailure: () => 'Nobody answers.' })
    await using engine = await startGraph(
      (parts) => createAgent(parts.agent({ middleware: [calms] })),
      { script: cutOnce() },
    )
    expect(textOf(await engine.say('Go'))).toBe('Nobody answers.')
  })

  test('is the answer that a model began anew', async () => {
    await using engine = await startEngine({
      script: cutOnce(),
      maker: (options, sql) => {
        const model = withRetry(options.agent.model, {
          budget: createRetryBudget({ clock: systemClock }),
          firstMs: 1,
        })
        return makerOf(plainGraph)({ ...options, agent: { ...options.agent, model } }, sql)
      },
    })
    const events = await engine.say('Go')
    expect(of(events, 'error')).toEqual([])
    expect(textOf(events)).toBe('Here.')
  })

  test('is said once by a graph that was made for an earlier turn', async () => {
    let made: ReturnType<CreateGraph> | undefined
    await using engine = await startGraph(
      (parts) => {
        made ??= plainGraph(parts)
        return made
      },
      { script: () => ({ text: 'Hello.' }) },
    )
    await engine.say('Go')
    expect(textOf(await engine.say('Go'))).toBe('Hello.')
  })
})

describe('a model that', () => {
  test('is jumped to is asked at most max_turns times, and the next turn works', async () => {
    let isNever = true
    const more = createMiddleware({
      name: 'more',
      afterModel: {
        canJumpTo: ['model'],
        hook: () =>
          isNever ? { messages: [new HumanMessage('More.')], jumpTo: 'model' } : undefined,
      },
    })
    await using engine = await startGraph(
      (parts) => createAgent(parts.agent({ middleware: [more] })),
      { agent: { maxTurns: 3 }, script: () => ({ text: 'Hm.' }) },
    )
    const events = await engine.say('Go')
    expect(engine.standIn.requests).toHaveLength(3)
    expect(of(events, 'error')).toMatchObject([{ error_code: 'quota_exceeded' }])
    isNever = false
    expect(textOf(await engine.say('Go'))).toBe('Hm.')
  })

  test.each([
    ['names a class that there is not', { lc: 1, type: 'constructor', id: ['x'], kwargs: {} }],
    ['nests what it writes', nested(55)],
  ])('%s in its arguments does not spoil the session', async (_, value) => {
    const look = tool(async () => 'seen', {
      name: 'look',
      description: 'Looks.',
      schema: z.object({ value: z.any() }),
    })
    await using engine = await startGraph((parts) => createAgent(parts.agent({ tools: [look] })), {
      script: ({ turns }) =>
        turns.at(-1)?.role === 'user'
          ? { toolCalls: [{ name: 'look', arguments: { value } }] }
          : { text: 'Done.' },
    })
    for (const input of ['One', 'Two', 'Three']) {
      expect(textOf(await engine.say(input))).toBe('Done.')
    }
    const users = engine.standIn.requests.at(-1)?.turns.filter(({ role }) => role === 'user')
    expect(users).toHaveLength(3)
  })

  test('gives calls of two replies the same id has all of them run', async () => {
    const look = countingTool('look')
    await using engine = await startGraph(
      (parts) => createAgent({ ...parts.agent(), model: new RepeatingModel() }),
      { tools: [look] },
    )
    const events = await engine.say('Go')
    expect(look.runs).toEqual([{ value: '1' }, { value: '2' }, { value: '3' }])
    expect(of(events, 'tool_result').map(({ status }) => status)).toEqual(Array(3).fill('success'))
    expect(textOf(events)).toBe('done')
  })
})

describe('a tool', () => {
  const calling = (name: string) => (request: Parameters<typeof toolRounds>[0]) =>
    toolRounds(request) > 0 ? { text: 'Done.' } : { toolCalls: [{ name, arguments: {} }] }

  test('that a middleware calls itself is not run', async () => {
    const runs: string[] = []
    const look = tool(async () => String(runs.push('look')), {
      name: 'look',
      description: 'Looks.',
      schema: z.object({}),
    })
    const inCall = createMiddleware({
      name: 'in_call',
      wrapToolCall: async ({ toolCall }) => (await look.invoke(toolCall as never)) as ToolMessage,
    })
    const inHook = createMiddleware({
      name: 'in_hook',
      beforeModel: async () => void (await look.invoke({})),
    })
    for (const middleware of [inCall, inHook]) {
      await using engine = await startGraph(
        (parts) => createAgent(parts.agent({ tools: [look], middleware: [middleware] })),
        { script: calling('look') },
      )
      expect(of(await engine.say('Go'), 'error')).toMatchObject([{ error_code: 'forbidden' }])
    }
    expect(runs).toEqual([])
  })

  test('that a middleware runs again asks again, and each run has its call and its result', async () => {
    const runs: string[] = []
    const send = tool(
      async () => {
        runs.push('send')
        if (runs.length === 1) throw new Error('busy')
        return 'sent'
      },
      { name: 'send', description: 'Sends.', schema: z.object({}) },
    )
    const again = createMiddleware({
      name: 'again',
      async wrapToolCall(request, handler) {
        try {
          return await handler(request)
        } catch {
          return await handler(request)
        }
      },
    })
    const toolOptions = () => ({ approval: 'ask' as const })
    const createGraph = (parts: GraphParts) =>
      createAgent(parts.agent({ tools: [send], middleware: [again] }))
    await using engine = await startEngine({
      script: calling('send'),
      maker: makerOf(createGraph, { toolOptions }),
    })
    const asked: string[] = []
    const handler = {
      async requestApproval({ name }: { name: string }) {
        asked.push(name)
        return { type: 'approve', message: '' } as const
      },
    }
    const events = await engine.say('Go', { approvals: { kind: 'handler', handler } })
    expect(asked).toEqual(['send', 'send'])
    const ids = of(events, 'tool_call').map(({ tool_call_id }) => tool_call_id)
    expect(new Set(ids).size).toBe(2)
    expect(of(events, 'tool_result')).toMatchObject([
      { tool_call_id: ids[0], result: 'busy', status: 'error' },
      { tool_call_id: ids[1], result: 'sent', status: 'success' },
    ])
    expect(textOf(events)).toBe('Done.')
    expect(textOf(await engine.say('Go'))).toBe('Done.')
  })

  test('may give a Command with one message', async () => {
    const look = tool(
      async (_, { toolCall }) => {
        const messages = new ToolMessage({ content: 'seen', tool_call_id: toolCall?.id ?? '' })
        return new Command({ update: { messages } })
      },
      { name: 'look', description: 'Looks.', schema: z.object({}) },
    )
    await using engine = await startGraph((parts) => createAgent(parts.agent({ tools: [look] })), {
      script: calling('look'),
    })
    const events = await engine.say('Go')
    expect(of(events, 'tool_result')).toMatchObject([{ result: 'seen', status: 'success' }])
    expect(textOf(events)).toBe('Done.')
  })

  test('that interrupts is told what to do instead', async () => {
    const look = tool(async () => String(interrupt('May I?')), {
      name: 'look',
      description: 'Looks.',
      schema: z.object({}),
    })
    await using engine = await startGraph((parts) => createAgent(parts.agent({ tools: [look] })), {
      script: calling('look'),
    })
    const [result] = of(await engine.say('Go'), 'tool_result')
    expect(result).toMatchObject({ status: 'error' })
    expect(result?.result).toContain("approval: 'ask'")
  })
})

describe('a thread', () => {
  const marks = createMiddleware({
    name: 'marks',
    stateSchema: z.object({ marks: z.number().default(0) }),
    beforeAgent: ({ marks: before }) => ({ marks: before + 1 }),
  })
  const marking = (parts: GraphParts) => createAgent(parts.agent({ middleware: [marks] }))

  async function stateOf(engine: Engine) {
    const saver = createCheckpointSaver({ store: engine.sql.checkpoints })
    const tuple = await saver.getTuple(configOf(engine))
    return tuple?.checkpoint.channel_values
  }

  test('of a session that is no more is none of a new one of its id', async () => {
    await using engine = await startGraph(marking, { script: () => ({ text: 'Hello.' }) })
    await engine.say('One')
    await engine.say('Two')
    expect(await stateOf(engine)).toMatchObject({ marks: 2 })
    await makeAnew(engine)
    const executor = engine.createExecutor()
    await collect(executor.execute('Three', engine.session_id, { principal: person }))
    expect(await stateOf(engine)).toMatchObject({ marks: 1 })
  })

  test('that has not seen the calls of its run is not gone on with: they are told as lost', async () => {
    const look = countingTool('look')
    let isSet = false
    await using engine = await startGraph(
      async (parts) => {
        const graph = plainGraph(parts)
        if (!isSet) await graph.graph.updateState(configOf(engine), asked, '__start__')
        isSet = true
        return graph
      },
      { tools: [look], script: () => ({ text: 'Is it done?' }) },
    )
    await leaveRun(engine, [...begun, started])
    const events = await collect(engine.executor.resume(engine.session_id, { principal: person }))
    expect(JSON.stringify(engine.standIn.requests.at(-1)?.turns)).toContain('unknown_outcome')
    expect(textOf(events)).toContain('Is it done?')
    expect(look.runs).toEqual([])
  })

  test('whose next step the graph no longer has is begun anew', async () => {
    const gone = createMiddleware({ name: 'gone', afterModel: () => undefined })
    const calls = [{ id: 'c1', name: 'look', args: {}, type: 'tool_call' as const }]
    const messages = [...asked.messages, new AIMessage({ content: '', tool_calls: calls })]
    let isSet = false
    await using engine = await startGraph(
      async (parts) => {
        const before = createAgent(parts.agent({ middleware: [gone] }))
        const state = { ...asked, messages }
        const from = 'dataagent_steps.after_model'
        if (!isSet) await before.graph.updateState(configOf(engine), state, from)
        isSet = true
        return plainGraph(parts)
      },
      { tools: [countingTool('look')], script: () => ({ text: 'I look again.' }) },
    )
    await leaveRun(engine, begun)
    const events = await collect(engine.executor.resume(engine.session_id, { principal: person }))
    expect(of(events, 'tool_result')).toMatchObject([{ outcome: 'interrupted' }])
    expect(textOf(events)).toContain('I look again.')
  })
})

type Engine = Awaited<ReturnType<typeof startEngine>>

const configOf = ({ session_id }: Engine) => ({ configurable: { thread_id: session_id } })
const asked = { messages: [new HumanMessage('Go')], dataagent_run: 'r1' }
const ofCall = { tool_call_id: 'c1', tool_name: 'look' }
const begun = [
  { event_type: 'user_message', message_id: 'm', content: 'Go' },
  { event_type: 'tool_call', ...ofCall, tool_args: {} },
]
const started = { event_type: 'tool_started', ...ofCall, call_id: 'x', idempotent: false }

/** A run that has logged no more than this when its process died. */
async function leaveRun({ sql, session_id }: Engine, events: readonly { event_type: string }[]) {
  const placed = events.map((event, at) => ({ timestamp: 1, ...event, run_id: 'r1', seq: at + 1 }))
  const entries = placed.map((event) => ({ kind: event.event_type, json: JSON.stringify(event) }))
  await sql.events.append(session_id, entries)
}

async function makeAnew({ sql, session_id }: Engine): Promise<void> {
  const { tenant_id } = person
  const session = await sql.sessions.get(tenant_id, session_id)
  await sql.sessions.delete(tenant_id, session_id)
  await sql.sessions.create(session!)
}

function nested(depth: number): unknown {
  return depth === 0 ? 'here' : { within: nested(depth - 1) }
}

/** Of the two calls in its second reply, one has the id of its first. */
class RepeatingModel extends ScriptedModel {
  constructor() {
    super(['1', '2'].map((value) => ({ name: 'look', args: { value } })))
  }

  override async _generate(messages: never[]) {
    const result = await super._generate(messages)
    for (const { message } of result.generations) {
      const { tool_calls = [] } = message as AIMessage
      const [call] = tool_calls
      if (call?.id === 'call-2') tool_calls.push({ ...call, id: 'call-1', args: { value: '3' } })
    }
    return result
  }
}
