import {
  collect,
  countingTool,
  of,
  person,
  startEngine,
  textOf,
} from '@dataagent/core/engine/test-engine'
import { callsOnce } from '@dataagent/core/scenarios/test-words'
import { ownServerId } from '@dataagent/hub'
import { toolRounds } from '@dataagent/testkit'
import { tool } from '@langchain/core/tools'
import {
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  modelCallLimitMiddleware,
  modelRetryMiddleware,
  piiMiddleware,
  todoListMiddleware,
  toolCallLimitMiddleware,
  toolRetryMiddleware,
} from 'langchain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCheckpointSaver } from '../checkpoints/index.ts'
import type { LangChainExecutorOptions } from './contract.ts'
import { createLangChainExecutor } from './create-langchain-executor.ts'
import { makerOf } from './test-makers.ts'

const startGraph = (
  createGraph: LangChainExecutorOptions['createGraph'],
  options: Parameters<typeof startEngine>[0] = {},
) => startEngine({ ...options, maker: makerOf(createGraph) })

describe("a turn of LangChain's agent", () => {
  test('is the events of ours: message, text as it comes, calls, results, usage, done [D2.2]', async () => {
    const look = countingTool('look')
    await using engine = await startGraph((parts) => createAgent(parts.agent()), {
      tools: [look],
      script: (request) =>
        toolRounds(request) > 0
          ? { text: 'There it is, all of it.', chunkSize: 4 }
          : { text: 'I look.', toolCalls: [{ name: 'look', arguments: { value: 'a' } }] },
    })
    const events = await engine.say('Look')
    const kinds = events.map(({ event_type }) => event_type).filter((kind) => kind !== 'text')
    expect(kinds).toEqual([
      ...['user_message', 'tool_call', 'tool_started', 'tool_result', 'usage', 'done'],
    ])
    expect(textOf(events)).toBe('I look.There it is, all of it.')
    expect(look.runs).toEqual([{ value: 'a' }])
    expect(of(events, 'tool_result')).toMatchObject([{ status: 'success', result: 'look done' }])
    expect(of(events, 'usage')[0]?.prompt_tokens).toBeGreaterThan(0)
    const logged = await engine.sql.events.read(engine.session_id, { after: 0, limit: 100 })
    expect(logged.map(({ kind }) => kind)).toContain('tool_result')
  })

  test('goes on in the next one: the thread is in the store, and is one checkpoint long', async () => {
    await using engine = await startGraph((parts) => createAgent(parts.agent()), {
      script: ({ turns }) => ({ text: turns.map(({ role }) => role).join(' ') }),
    })
    await engine.say('One')
    const executor = engine.createExecutor()
    const events = await collect(executor.execute('Two', engine.session_id, { principal: person }))
    expect(textOf(events)).toBe('system user assistant user')
    const saver = createCheckpointSaver({ store: engine.sql.checkpoints })
    const config = { configurable: { thread_id: engine.session_id } }
    expect(await Array.fromAsync(saver.list(config))).toHaveLength(1)
  })

  test('goes on with a session that our own engine began, and the other way round', async () => {
    const look = countingTool('look')
    const options = { tools: [look], script: callsOnce(['look']) }
    await using engine = await startEngine(options)
    await engine.say('One')
    const { hub, agent, sql, session_id, standIn } = engine
    const theirs = createLangChainExecutor({
      ...{ hub, agent, log: sql.events },
      checkpointer: createCheckpointSaver({ store: sql.checkpoints }),
      createGraph: (parts) => createAgent(parts.agent()),
    })
    const context = { principal: person }
    for (const executor of [theirs, engine.createExecutor(), theirs, engine.createExecutor()]) {
      const events = await collect(executor.execute('More', session_id, context))
      expect(textOf(events)).toBe('All done.')
    }
    expect(look.runs).toHaveLength(5)
    const roles = standIn.requests.at(-1)?.turns.map(({ role }) => role)
    expect(roles?.filter((role) => role === 'user')).toHaveLength(5)
  })

  test('asks the model at most max_turns times', async () => {
    const look = countingTool('look')
    await using engine = await startGraph((parts) => createAgent(parts.agent()), {
      tools: [look],
      agent: { maxTurns: 3 },
      script: () => ({ toolCalls: [{ name: 'look', arguments: {} }] }),
    })
    const events = await engine.say('Go')
    expect(engine.standIn.requests).toHaveLength(3)
    expect(of(events, 'error')).toMatchObject([{ error_code: 'quota_exceeded' }])
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  })

  test('tells a call whose arguments are no JSON to the model, which LangChain leaves out', async () => {
    const look = countingTool('look')
    await using engine = await startGraph((parts) => createAgent(parts.agent()), {
      tools: [look],
      script: (request) =>
        toolRounds(request) > 0
          ? { text: 'Sorry.' }
          : { toolCalls: [{ name: 'look', arguments: 'the first one' }] },
    })
    const events = await engine.say('Go')
    expect(textOf(events)).toBe('Sorry.')
    expect(look.runs).toEqual([])
    expect(of(events, 'tool_result')).toMatchObject([{ status: 'error', outcome: 'invalid' }])
  })
})

describe("a graph's own middlewares", () => {
  test('retry a model, and what it had said before is void', async () => {
    let asked = 0
    await using engine = await startGraph(
      (parts) => {
        const retry = modelRetryMiddleware({ maxRetries: 2, initialDelayMs: 1, jitter: false })
        return createAgent(parts.agent({ middleware: [retry] }))
      },
      {
        script: () => {
          asked += 1
          return asked === 1 ? { text: 'Here I am, and', cut: 2 } : { text: 'Here.' }
        },
      },
    )
    expect(textOf(await engine.say('Go'))).toBe('Here.')
    expect(asked).toBe(2)
  })

  test('keep a plan, which is told as one', async () => {
    const todos = [{ content: 'Count', status: 'in_progress' }]
    await using engine = await startGraph(
      (parts) => createAgent(parts.agent({ middleware: [todoListMiddleware()] })),
      {
        script: (request) =>
          toolRounds(request) > 0
            ? { text: 'Planned.' }
            : { toolCalls: [{ name: 'write_todos', arguments: { todos } }] },
      },
    )
    const events = await engine.say('Plan')
    expect(of(events, 'todo_update')).toMatchObject([{ todos }])
    expect(of(events, 'tool_result')).toMatchObject([{ status: 'success' }])
    expect(textOf(events)).toBe('Planned.')
  })

  test('answer a call in the place of its tool: the log has that answer', async () => {
    const look = countingTool('look')
    await using engine = await startGraph(
      (parts) => {
        const limit = toolCallLimitMiddleware({ runLimit: 1, exitBehavior: 'continue' } as never)
        return createAgent(parts.agent({ middleware: [limit] }))
      },
      {
        tools: [look],
        script: (request) =>
          toolRounds(request) > 1
            ? { text: 'Enough.' }
            : { toolCalls: [{ name: 'look', arguments: {} }] },
      },
    )
    const events = await engine.say('Go')
    expect(look.runs).toHaveLength(1)
    expect(of(events, 'tool_result')).toMatchObject([
      { status: 'success', result: 'look done' },
      { status: 'error', result: expect.stringContaining('limit') },
    ])
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  })

  test('end a run in their own words, which are said', async () => {
    const look = countingTool('look')
    await using engine = await startGraph(
      (parts) => {
        const limit = modelCallLimitMiddleware({ runLimit: 1, exitBehavior: 'end' } as never)
        return createAgent(parts.agent({ middleware: [limit] }))
      },
      { tools: [look], script: () => ({ toolCalls: [{ name: 'look', arguments: {} }] }) },
    )
    const events = await engine.say('Go')
    expect(look.runs).toHaveLength(1)
    expect(textOf(events)).toMatch(/limit/i)
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  })

  test('that throw end the run with an error, and the next turn works', async () => {
    let isBroken = true
    const broken = createMiddleware({
      name: 'broken',
      beforeModel: () => {
        if (isBroken) throw new Error('out of order')
        return undefined
      },
    })
    const faults: unknown[] = []
    await using engine = await startGraph(
      (parts) => createAgent(parts.agent({ middleware: [broken] })),
      { script: () => ({ text: 'Fine.' }), executor: { onError: (fault) => faults.push(fault) } },
    )
    const events = await engine.say('Go')
    expect(of(events, 'error')).toMatchObject([{ error_code: 'internal' }])
    expect(String(faults[0])).toContain('out of order')
    isBroken = false
    expect(textOf(await engine.say('Again'))).toBe('Fine.')
  })

  test.each([
    ['redact', 'Write to [REDACTED_EMAIL].'],
    ['block', ''],
  ])(
    'that guard what is said: with %s readers and the log have nothing of it',
    async (strategy, text) => {
      await using engine = await startGraph(
        (parts) => {
          const guard = piiMiddleware('email', { strategy, applyToOutput: true } as never)
          return createAgent(parts.agent({ middleware: [guard] }))
        },
        { script: () => ({ text: 'Write to ada@example.com.' }) },
      )
      const events = await engine.say('Where to?')
      expect(textOf(events)).toBe(text)
      const rows = await engine.sql.events.read(engine.session_id, { after: 0, limit: 100 })
      const said = textOf(rows.map(({ json }) => JSON.parse(json)))
      expect(said).toBe(text)
      expect(events.at(-1)).toMatchObject({ event_type: 'done' })
      expect(of(events, 'error')).toHaveLength(strategy === 'block' ? 1 : 0)
    },
  )

  test('try a tool again that has failed, and their tool wins over one of ours of its name', async () => {
    let tries = 0
    const look = tool(
      async () => {
        tries += 1
        if (tries < 3) throw new Error('not yet')
        return 'seen'
      },
      { name: 'look', description: 'Looks.', schema: z.object({}) },
    )
    const ours = countingTool('look')
    await using engine = await startGraph(
      (parts) => {
        const retry = toolRetryMiddleware({ maxRetries: 3, initialDelayMs: 1, jitter: false })
        return createAgent(parts.agent({ tools: [look], middleware: [retry] }))
      },
      { tools: [ours], script: callsOnceWith('look') },
    )
    const events = await engine.say('Go')
    expect(tries).toBe(3)
    expect(ours.runs).toEqual([])
    expect(of(events, 'tool_result').map(({ status }) => status)).toEqual([
      ...['error', 'error', 'success'],
    ])
    const [answer] = engine.standIn.requests.at(-1)?.turns.at(-1)?.toolResults ?? []
    expect(answer?.text).toBe('seen')
  })

  test('that interrupt the graph are told what to do instead', async () => {
    const look = countingTool('look')
    await using engine = await startGraph(
      (parts) => {
        const asks = humanInTheLoopMiddleware({ interruptOn: { look: true } } as never)
        return createAgent(parts.agent({ middleware: [asks] }))
      },
      { tools: [look], script: callsOnce(['look']) },
    )
    const events = await engine.say('Go')
    const [error] = of(events, 'error')
    expect(error?.error).toContain("approval: 'ask'")
    expect(look.runs).toEqual([])
  })
})

describe("a graph's own tools", () => {
  const send = tool(async ({ to }: { to: string }) => `Sent to ${to}`, {
    name: 'send',
    description: 'Sends.',
    schema: z.object({ to: z.string() }),
  })

  test('are governed: a rule denies them, and the audit has each call [D8.4]', async () => {
    await using engine = await startGraph((parts) => createAgent(parts.agent({ tools: [send] })), {
      script: (request) =>
        toolRounds(request) > 0
          ? { text: 'Done.' }
          : { toolCalls: [{ name: 'send', arguments: { to: 'bob' } }] },
    })
    const first = await engine.say('Send')
    expect(of(first, 'tool_result')).toMatchObject([{ result: 'Sent to bob', outcome: 'ok' }])
    const admin = { ...person, role: 'admin' } as const
    const { hub } = engine
    await hub.policy.addRule(admin, {
      ...{ tier: 'tenant', subject: { kind: 'tenant', id: person.tenant_id }, effect: 'deny' },
      ...{ server_id: ownServerId, tool: 'send' },
    })
    const second = await engine.say('Send')
    expect(of(second, 'tool_result')).toMatchObject([{ status: 'error', outcome: 'denied' }])
    await hub.audit.flush()
    const rows = await hub.audit.query(admin, { limit: 10, offset: 0 })
    expect(rows.map(({ status }) => status)).toEqual(expect.arrayContaining(['ok', 'denied']))
  })

  test('that fail, or get what does not fit, are told to the model', async () => {
    const broken = tool(
      async () => {
        throw new Error('no paper')
      },
      { name: 'print', description: 'Prints.', schema: z.object({ pages: z.number() }) },
    )
    await using engine = await startGraph(
      (parts) => createAgent(parts.agent({ tools: [broken] })),
      {
        script: (request) => {
          const rounds = toolRounds(request)
          if (rounds > 1) return { text: 'Done.' }
          const pages = rounds === 0 ? 'three' : 3
          return { toolCalls: [{ name: 'print', arguments: { pages } }] }
        },
      },
    )
    const events = await engine.say('Print')
    const [misfit, failed] = of(events, 'tool_result')
    expect(misfit).toMatchObject({ status: 'error', outcome: 'invalid' })
    expect(failed).toMatchObject({ status: 'error', result: expect.stringContaining('no paper') })
    expect(textOf(events)).toBe('Done.')
  })

  test('whose result is the answer: it is said (returnDirect)', async () => {
    const direct = tool(async () => 'It is noon.', {
      ...{ name: 'time', description: 'Tells.', schema: z.object({}), returnDirect: true },
    })
    await using engine = await startGraph(
      (parts) => createAgent(parts.agent({ tools: [direct] })),
      { script: callsOnceWith('time') },
    )
    expect(textOf(await engine.say('What time is it?'))).toBe('It is noon.')
    expect(engine.standIn.requests).toHaveLength(1)
  })

  test('may call others of their own, as a part of them', async () => {
    const outer = tool(async () => `outer: ${await send.invoke({ to: 'ann' })}`, {
      name: 'outer',
      description: 'Calls.',
      schema: z.object({}),
    })
    await using engine = await startGraph((parts) => createAgent(parts.agent({ tools: [outer] })), {
      script: callsOnceWith('outer'),
    })
    const events = await engine.say('Go')
    expect(of(events, 'tool_result')).toMatchObject([{ result: 'outer: Sent to ann' }])
  })

  test('of a graph within, which nothing governs, are not run', async () => {
    const sent: string[] = []
    const quiet = tool(
      async ({ to }: { to: string }) => {
        sent.push(to)
        return 'sent'
      },
      { name: 'quiet', description: 'Sends.', schema: z.object({ to: z.string() }) },
    )
    await using engine = await startGraph(
      (parts) => {
        const inner = createAgent({ model: parts.model, tools: [quiet] })
        const ask = tool(
          async (_, config) => {
            const given = await inner.invoke({ messages: [['user', 'inner']] } as never, config)
            return String(given.messages.at(-1)?.text)
          },
          { name: 'ask', description: 'Asks.', schema: z.object({}) },
        )
        return createAgent(parts.agent({ tools: [ask] }))
      },
      {
        script: (request) => {
          const isInner = request.turns.some(({ text }) => text === 'inner')
          if (toolRounds(request) > 0) return { text: 'Done.' }
          if (isInner) return { toolCalls: [{ name: 'quiet', arguments: { to: 'eve' } }] }
          return { toolCalls: [{ name: 'ask', arguments: {} }] }
        },
      },
    )
    const events = await engine.say('Go')
    expect(sent).toEqual([])
    const inner = engine.standIn.requests.find(({ turns }) =>
      turns.some(({ toolResults }) => toolResults?.some(({ text }) => text.includes('governs'))),
    )
    expect(inner).toBeDefined()
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  })
})

test('what is no agent of LangChain is refused in words', async () => {
  await using engine = await startGraph(() => ({ invoke: async () => ({}) }) as never)
  const [error] = of(await engine.say('Go'), 'error')
  expect(error).toMatchObject({ error_code: 'config_invalid' })
})

function callsOnceWith(name: string, args: Record<string, unknown> = {}) {
  return (request: Parameters<typeof toolRounds>[0]) =>
    toolRounds(request) > 0 ? { text: 'Done.' } : { toolCalls: [{ name, arguments: args }] }
}
