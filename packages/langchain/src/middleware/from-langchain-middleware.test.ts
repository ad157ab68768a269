import { countingTool, of, person, startEngine } from '@dataagent/core/engine/test-engine'
import { AIMessage, HumanMessage, RemoveMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import {
  Annotation,
  Command,
  DeltaValue,
  interrupt,
  messagesDeltaReducer,
  ReducedValue,
  StateSchema,
} from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { createMiddleware } from 'langchain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod/v3'
import type { LangChainMiddleware } from './contract.ts'
import { fromLangChainMiddleware } from './from-langchain-middleware.ts'
import { calls, play } from './test-play.ts'

type Config = Parameters<typeof createMiddleware>[0]

// biome-ignore lint/suspicious/noExplicitAny: a state of any schema.
type AnyState = any

/** Without the types of its state, which are not what is tested. */
const make = (config: Omit<Config, 'name'> & { name?: string }): LangChainMiddleware =>
  createMiddleware({ name: 'tested', ...config } as Config)

const twice = { script: [calls('count'), { text: 'Done.' }] }

test('hooks run around each call as in LangChain, in the order of the list [D7.1] [D7.5]', async () => {
  const seen: string[] = []
  const noting = (name: string) =>
    make({
      name,
      beforeAgent: () => void seen.push(`${name}.beforeAgent`),
      beforeModel: { hook: () => void seen.push(`${name}.beforeModel`) },
      afterModel: () => void seen.push(`${name}.afterModel`),
      afterAgent: () => void seen.push(`${name}.afterAgent`),
      wrapModelCall: (request, handler) => {
        seen.push(`${name}.wrapModelCall`)
        return handler(request)
      },
      wrapToolCall: (request, handler) => {
        seen.push(`${name}.wrapToolCall`)
        return handler(request)
      },
    })
  const { text } = await play({
    middleware: () => [noting('a'), noting('b')],
    ...{ tools: [countingTool('count')], ...twice },
  })
  const turn = ['a.beforeModel', 'b.beforeModel', 'a.wrapModelCall', 'b.wrapModelCall']
  const after = ['b.afterModel', 'a.afterModel']
  expect(seen).toEqual([
    ...['a.beforeAgent', 'b.beforeAgent', ...turn, ...after],
    ...['a.wrapToolCall', 'b.wrapToolCall', ...turn, ...after, 'b.afterAgent', 'a.afterAgent'],
  ])
  expect(text).toBe('Done.')
})

describe('state [D7.1]', () => {
  const schemas: [string, object, unknown][] = [
    ['zod 4', z.object({ n: z.number().default(1), _own: z.number() }), 3],
    ['zod 3', z3.object({ n: z3.number().default(1), _own: z3.number() }), 3],
    ['a StateSchema', new StateSchema({ n: z.number().default(1), _own: z.number() }), 3],
    [
      'a field with a reducer',
      new StateSchema({
        n: new ReducedValue(z.number().default(1), {
          reducer: (a: number, b: number) => a * 10 + b,
        }),
        _own: z.number().optional(),
      }),
      123,
    ],
    [
      'an annotation',
      Annotation.Root({
        n: Annotation<number>({ reducer: (a, b) => a * 10 + b, default: () => 1 }),
        _own: Annotation<number>(),
      }),
      123,
    ],
  ]

  test.each(schemas)(
    'of %s has its defaults, and what hooks set of it',
    async (_, schema, last) => {
      const seen: unknown[] = []
      let at = 1
      await play({
        middleware: () => [
          make({
            stateSchema: schema as never,
            beforeModel: ({ n, _own }: AnyState) => {
              seen.push([n, _own])
              at += 1
              return { n: at, _own: at }
            },
            afterAgent: ({ n }: AnyState) => void seen.push(n),
          }),
        ],
        ...{ tools: [countingTool('count')], ...twice },
      })
      expect(seen.at(0)).toEqual([1, undefined])
      expect(seen.at(-1)).toBe(last)
    },
  )

  test('of one is hidden from another, unless both have the field', async () => {
    const seen: object[] = []
    const look = (state: AnyState) => void seen.push(Object.keys(state))
    await play({
      middleware: () => [
        make({ name: 'a', stateSchema: z.object({ a: z.string().default('x') }) }),
        make({ name: 'b', stateSchema: z.object({ _b: z.string() }), beforeModel: look }),
      ],
    })
    expect(seen).toEqual([['_b', 'messages']])
  })

  test('that does not fit, or is not its own, ends the run and names it', async () => {
    const stateSchema = z.object({ n: z.number().default(1) })
    const giving = (update: object) =>
      play({ middleware: () => [make({ stateSchema, beforeModel: () => update })] })
    expect((await giving({ n: 'x' })).error?.error).toMatch(/tested.*"n"/)
    expect((await giving({ other: 1 })).error?.error).toMatch(/tested.*"other"/)
    expect((await giving({ structuredResponse: {} })).error?.error).toContain('structuredResponse')
  })

  test.each<[string, object]>([
    ['a field without a default', z.object({ n: z.number() })],
    [
      'a delta',
      new StateSchema({
        n: new DeltaValue(z.array(z.any()) as never, messagesDeltaReducer as never),
      }),
    ],
    ['something else', { n: 1 }],
  ])('of %s is refused when the agent is made', async (_, stateSchema) => {
    const middleware = make({ stateSchema: stateSchema as never })
    await expect(play({ middleware: () => [middleware] })).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('tested'),
    })
  })

  test('of two runs at once is not mixed', async () => {
    const stateSchema = z.object({ _said: z.array(z.string()).default([]) })
    const ends: string[][] = []
    const middleware = fromLangChainMiddleware(
      make({
        stateSchema,
        beforeModel: async ({ _said, messages }: AnyState) => ({
          _said: [..._said, messages[0].text],
        }),
        afterAgent: ({ _said }: AnyState) => void ends.push(_said),
      }),
    )
    await using engine = await startEngine({
      ...{ tools: [countingTool('count')], agent: { middleware: [middleware] } },
      script: ({ turns }) => (turns.length < 4 ? calls('count') : 'Done.'),
    })
    const say = async (text: string) =>
      Array.fromAsync(
        engine.executor.execute(text, await engine.createSession(), { principal: person }),
      )
    await Promise.all(['a', 'b', 'c'].map(say))
    expect(ends.toSorted()).toEqual([
      ['a', 'a'],
      ['b', 'b'],
      ['c', 'c'],
    ])
  })
})

describe('the runtime of a hook', () => {
  test('has the thread, a signal, a writer, and no store', async () => {
    const seen: AnyState[] = []
    const { events } = await play({
      middleware: () => [make({ beforeAgent: (_, runtime) => void seen.push(runtime) })],
    })
    const { session_id, run_id } = events[0] ?? {}
    expect(seen[0]).toMatchObject({ configurable: { thread_id: session_id, run_id } })
    expect(seen[0].signal).toBeInstanceOf(AbortSignal)
    expect(seen[0].store).toBeUndefined()
    expect(seen[0].writer('x')).toBeUndefined()
  })

  const contextSchema = z.object({ tone: z.string(), n: z.number().default(5) })
  const withContext = (extra: Record<string, unknown>) => {
    const seen: unknown[] = []
    const look = make({
      contextSchema,
      wrapModelCall: (request, handler) => {
        seen.push(request.runtime.context)
        return handler(request)
      },
    })
    return play({ middleware: () => [look], extra }).then((played) => ({ ...played, seen }))
  }

  test('has the context that the run was given, as its schema has it [D7.1]', async () => {
    expect((await withContext({ tone: 'kind', other: 1 })).seen).toEqual([{ tone: 'kind', n: 5 }])
  })

  test('of a run with a wrong context is an error that says what is wrong', async () => {
    const { error, requests } = await withContext({ tone: 1 })
    expect(error).toMatchObject({
      error_code: 'invalid_request',
      error: expect.stringMatching(/tested.*tone/),
    })
    expect(requests).toHaveLength(0)
  })

  test.each<[string, Partial<Config>]>([
    [
      'runtime.interrupt',
      { beforeModel: (_: unknown, runtime: AnyState) => runtime.interrupt({}) },
    ],
    ['interrupt', { beforeModel: () => interrupt({}) as never }],
    ['interrupt within a call', { wrapModelCall: () => interrupt({}) as never }],
  ])('does not let it %s', async (_, config) => {
    const { error } = await play({ middleware: () => [make(config as never)] })
    expect(error?.error).toContain("approval: 'ask'")
  })
})

describe('a jump [D7.1]', () => {
  test('to the end says what the hook says', async () => {
    const { text, requests } = await play({
      middleware: () => [
        make({
          beforeModel: {
            canJumpTo: ['end'],
            hook: () => ({ messages: [new AIMessage('Enough.')], jumpTo: 'end' as const }),
          },
        }),
      ],
    })
    expect(text).toBe('Enough.')
    expect(requests).toHaveLength(0)
  })

  test('to the tools runs what the hook calls', async () => {
    const counting = countingTool('count')
    let isFirst = true
    const { asked } = await play({
      middleware: () => [
        make({
          beforeModel: {
            canJumpTo: ['tools'],
            hook: () => {
              if (!isFirst) return undefined
              isFirst = false
              const tool_calls = [{ id: 'own-1', name: 'count', args: {} }]
              const message = new AIMessage({ content: '', tool_calls })
              return { messages: [message], jumpTo: 'tools' as const }
            },
          },
        }),
      ],
      tools: [counting],
    })
    expect(counting.runs).toHaveLength(1)
    expect(asked[0]).toContain('count done')
  })

  test('back to the model asks it again', async () => {
    let times = 0
    const { text, requests } = await play({
      middleware: () => [
        make({
          afterModel: {
            canJumpTo: ['model'],
            hook: () => (times++ === 0 ? { jumpTo: 'model' as const } : undefined),
          },
        }),
      ],
      script: ({ number }) => `Answer ${number}.`,
    })
    expect(requests).toHaveLength(2)
    expect(text).toContain('Answer 2.')
  })

  test.each([
    ['none is defined', undefined],
    ['must be one of: tools', ['tools' as const]],
  ])('that it has not declared is refused: %s', async (told, canJumpTo) => {
    const hook = () => ({ jumpTo: 'end' as const })
    const beforeModel = canJumpTo ? { hook, canJumpTo } : hook
    const { error } = await play({ middleware: () => [make({ beforeModel } as never)] })
    expect(error?.error).toContain(`Invalid jump target: end; of beforeModel.canJumpTo`)
    expect(error?.error).toContain(told)
  })
})

describe('messages', () => {
  test('that a hook removes and changes are what the model reads', async () => {
    const { asked } = await play({
      middleware: () => [
        make({
          beforeModel: ({ messages }) => {
            if (messages.length < 3) return undefined
            const [first, second] = messages as [HumanMessage, AIMessage]
            const changed = new HumanMessage({ content: 'Two!', id: messages[2]?.id ?? '' })
            return {
              messages: [
                new RemoveMessage({ id: first.id ?? '' }),
                new RemoveMessage({ id: second.id ?? '' }),
                changed,
              ],
            }
          },
        }),
      ],
      says: ['One', 'Two'],
    })
    expect(asked[1]?.slice(1)).toEqual(['Two!'])
  })

  test('changed in place count, where they are given back', async () => {
    const counting = countingTool('count')
    const { results } = await play({
      middleware: () => [
        make({
          afterModel: ({ messages }) => {
            const last = messages.at(-1) as AIMessage
            if (!last.tool_calls?.length) return undefined
            last.tool_calls = last.tool_calls.map((call) => ({ ...call, args: { value: 'new' } }))
            return { messages: [last] }
          },
        }),
      ],
      ...{ tools: [counting], ...twice },
    })
    expect(results).toMatchObject([{ status: 'success' }])
    expect(counting.runs).toEqual([{ value: 'new' }])
  })

  test.each<[string, (last: AIMessage) => object | undefined]>([
    ['gives them back', (last) => ({ messages: [last] })],
    ['leaves them where they are, as in LangChain', () => undefined],
  ])('redacted within count: the hook %s', async (_, giveBack) => {
    const counting = countingTool('count')
    const { asked } = await play({
      middleware: () => [
        make({
          beforeModel: ({ messages }) => {
            const last = messages.at(-1) as AIMessage
            if (last.text === 'Go') last.content = 'Went'
            return giveBack(last)
          },
          afterModel: ({ messages }) => {
            const last = messages.at(-1) as AIMessage
            const [called] = last.tool_calls ?? []
            if (called) called.args.value = '[redacted]'
            return giveBack(last)
          },
        }),
      ],
      tools: [counting],
      script: [calls('count', { value: 'secret' }), { text: 'Done.' }],
    })
    expect(asked[0]?.at(-1)).toBe('Went')
    expect(counting.runs).toEqual([{ value: '[redacted]' }])
  })
})

describe('wrapModelCall [D7.1]', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a request of any state.
  type Change = (request: any) => any
  const changing = (change: Change, more: object = {}) =>
    play({
      middleware: () => [
        make({ wrapModelCall: (request, handler) => handler({ ...request, ...change(request) }) }),
      ],
      ...more,
    })

  test('changes the system prompt, as a text or a message', async () => {
    expect((await changing(() => ({ systemPrompt: 'Be odd.' }))).asked[0]?.[0]).toBe('Be odd.')
    const longer = await changing(({ systemMessage }) => ({
      systemMessage: systemMessage.concat(' Be kind.'),
    }))
    expect(longer.asked[0]?.[0]).toBe('You help. Be kind.')
    const both = await changing(({ systemMessage }) => ({
      ...{ systemPrompt: 'x', systemMessage: systemMessage.concat('y') },
    }))
    expect(both.error?.error).toContain('changed both')
  })

  test('changes messages, tools, the choice of a tool and settings', async () => {
    const tools = [countingTool('one'), countingTool('two')]
    const { requests, offered } = await changing(
      ({ tools: given }) => ({
        messages: [new HumanMessage('Other')],
        tools: given.filter(({ name }: { name: string }) => name === 'two'),
        toolChoice: 'none',
        modelSettings: { user: 'u-1', maxRetries: 0 },
      }),
      { tools },
    )
    expect(offered[0]).toEqual(['two'])
    const body = requests[0]?.body
    expect(body).toMatchObject({ tool_choice: 'none', user: 'u-1' })
    expect(body).not.toHaveProperty('maxRetries')
    expect(JSON.stringify(body)).toContain('Other')
  })

  test('asks another model, which gets settings as call options', async () => {
    const { requests, text } = await play({
      middleware: ({ standIn }) => [
        make({
          wrapModelCall: (request, handler) =>
            handler({
              ...request,
              model: new ChatOpenAI({
                ...{ model: 'standin-seed3', apiKey: standIn.apiKey, useResponsesApi: false },
                configuration: { baseURL: `${standIn.url}/v1` },
              }),
              modelSettings: { headers: { 'x-mark': '1' } },
            } as never),
        }),
      ],
    })
    expect(requests.map(({ model }) => model)).toEqual(['standin-seed3'])
    expect(text).toBe('Done.')
  })

  test.each<[string, Change, string]>([
    ['a responseFormat', () => ({ responseFormat: z.object({}) }), 'responseFormat'],
    ['headers for one of our models', () => ({ modelSettings: { headers: {} } }), 'headers'],
    ['a model that is none', () => ({ model: 'openai:x' }), 'no chat model'],
    [
      'a tool that nobody governs',
      () => ({ tools: [tool(() => '', { name: 'wild', description: 'x' })] }),
      'added the tool wild',
    ],
    [
      'a tool that was changed',
      ({ tools }) => ({ tools: tools.map(({ name }: { name: string }) => ({ name })) }),
      'changed the tool count',
    ],
    ['a tool of the provider', () => ({ tools: [{ type: 'web_search' }] }), 'tool web_search'],
  ])('refuses %s, and says why', async (_, change, told) => {
    const { error } = await changing(change, { tools: [countingTool('count')] })
    expect(error?.error).toContain(told)
    expect(error?.error).toContain('tested')
  })

  test('may answer itself, and change what the model said', async () => {
    const own = await play({
      middleware: () => [make({ wrapModelCall: () => new AIMessage('My own.') })],
    })
    expect(own.text).toBe('My own.')
    expect(own.requests).toHaveLength(0)
    const changed = await play({
      middleware: () => [
        make({
          wrapModelCall: async (request, handler) => {
            const message = (await handler(request)) as AIMessage
            message.content = message.text.toUpperCase()
            return message
          },
        }),
      ],
    })
    expect(changed.text).toBe('DONE.')
  })

  test('may redact within what the model said', async () => {
    const counting = countingTool('count')
    await play({
      middleware: () => [
        make({
          wrapModelCall: async (request, handler) => {
            const message = (await handler(request)) as AIMessage
            const [called] = message.tool_calls ?? []
            if (called) called.args.value = '[redacted]'
            return message
          },
        }),
      ],
      tools: [counting],
      script: [calls('count', { value: 'secret' }), { text: 'Done.' }],
    })
    expect(counting.runs).toEqual([{ value: '[redacted]' }])
  })

  test('may change the request itself', async () => {
    const editing = (change: (request: AnyState) => void) =>
      play({
        middleware: () => [
          make({
            wrapModelCall: (request, handler) => {
              change(request)
              return handler(request)
            },
          }),
        ],
        tools: [countingTool('one'), countingTool('two')],
      })
    const within = await editing(({ systemMessage, messages, tools }) => {
      systemMessage.content = 'Be odd.'
      messages[0].content = 'Other'
      tools.pop()
    })
    expect(within.asked).toEqual([['Be odd.', 'Other']])
    expect(within.offered).toEqual([['one']])
    const anew = await editing((request) => {
      request.systemPrompt = 'Be odd.'
      request.tools = request.tools.slice(1)
    })
    expect(anew.asked[0]?.[0]).toBe('Be odd.')
    expect(anew.offered).toEqual([['two']])
  })

  test('sees usage, calls and broken calls, and gives them back as they were', async () => {
    const seen: AIMessage[] = []
    const { results } = await play({
      middleware: () => [
        make({
          wrapModelCall: async (request, handler) => {
            const message = (await handler(request)) as AIMessage
            seen.push(message)
            return message
          },
        }),
      ],
      tools: [countingTool('count')],
      script: [
        {
          toolCalls: [
            { name: 'count', arguments: {} },
            { name: 'count', arguments: '{"a"}' },
          ],
        },
        { text: 'Done.' },
      ],
    })
    expect(seen[0]?.tool_calls).toHaveLength(1)
    expect(seen[0]?.invalid_tool_calls).toMatchObject([{ args: '{"a"}' }])
    expect(seen[0]?.usage_metadata).toMatchObject({ input_tokens: expect.any(Number) })
    expect(results.map(({ status }) => status).toSorted()).toEqual(['error', 'success'])
  })

  test('may give a Command, which changes the state', async () => {
    const seen: unknown[] = []
    const { text } = await play({
      middleware: () => [
        make({
          stateSchema: z.object({ n: z.number().default(0) }),
          wrapModelCall: async (request, handler) => {
            await handler(request)
            return new Command({ update: { n: 7 } })
          },
          afterModel: ({ n }: AnyState) => void seen.push(n),
        }),
      ],
    })
    expect(text).toBe('Done.')
    expect(seen).toEqual([7])
  })

  test.each<[string, () => unknown, string]>([
    ['nothing', () => undefined, 'neither an AIMessage nor a Command'],
    ['a Command without a call', () => new Command({ update: {} }), 'without having asked'],
  ])('that gives %s is an error', async (_, wrap, told) => {
    const { error } = await play({ middleware: () => [make({ wrapModelCall: wrap as never })] })
    expect(error?.error).toContain(told)
  })
})

describe('wrapToolCall [D7.1]', () => {
  test('sees the tool, changes its arguments, and may answer in its place', async () => {
    const counting = countingTool('count')
    const seen: AnyState[] = []
    const { results } = await play({
      middleware: () => [
        make({
          wrapToolCall: (request, handler) => {
            seen.push(request)
            if (request.toolCall.args.value === 'stop') {
              const tool_call_id = request.toolCall.id ?? ''
              return new ToolMessage({ content: 'stopped', tool_call_id, status: 'error' })
            }
            const toolCall = { ...request.toolCall, args: { value: 'changed' } }
            return handler({ ...request, toolCall })
          },
        }),
      ],
      tools: [counting],
      script: [calls('count'), calls('count', { value: 'stop' }), { text: 'Done.' }],
    })
    expect(seen[0].tool).toMatchObject({ name: 'count', description: 'Does count.' })
    await expect(seen[0].tool.invoke({})).rejects.toThrow('not called by hand')
    expect(counting.runs).toEqual([{ value: 'changed' }])
    expect(results).toMatchObject([
      { status: 'success' },
      { status: 'error', result: 'stopped', outcome: 'error' },
    ])
  })

  test('may say that what the tool gave is a failure', async () => {
    const { results } = await play({
      middleware: () => [
        make({
          wrapToolCall: async (request, handler) =>
            Object.assign((await handler(request)) as ToolMessage, { status: 'error' }),
        }),
      ],
      ...{ tools: [countingTool('count')], ...twice },
    })
    expect(results).toMatchObject([{ status: 'error', result: 'count done' }])
  })

  test('cannot bring a tool past the hub', async () => {
    const wild = tool(() => 'wild', { name: 'wild', description: 'x' })
    const { results, faults } = await play({
      middleware: () => [
        make({ wrapToolCall: (request, handler) => handler({ ...request, tool: wild }) }),
      ],
      ...{ tools: [countingTool('count')], ...twice },
    })
    expect(results).toMatchObject([{ status: 'error' }])
    expect(faults[0]?.message).toContain('it must be in "tools"')
  })

  test('of a tool that is refused sees the refusal, and retries nothing', async () => {
    const asks = countingTool('count', { approval: 'ask' })
    let times = 0
    const middleware = fromLangChainMiddleware(
      make({
        wrapToolCall: async (request, handler) => {
          const ask = async () => {
            times += 1
            return handler(request)
          }
          return ask().catch(ask)
        },
      }),
    )
    await using engine = await startEngine({
      ...{ tools: [asks], agent: { middleware: [middleware] }, script: twice.script },
    })
    const context = { principal: person, approvals: { kind: 'nothing' } } as const
    const run = engine.executor.execute('Go', engine.session_id, context)
    expect(of(await Array.fromAsync(run), 'tool_result')).toMatchObject([{ outcome: 'denied' }])
    expect(times).toBe(1)
  })

  test('may give a Command, whose message answers and whose fields are set', async () => {
    const seen: unknown[] = []
    const { results, asked } = await play({
      middleware: () => [
        make({
          stateSchema: z.object({ n: z.number().default(0) }),
          wrapToolCall: async ({ toolCall }) =>
            new Command({
              update: {
                n: 7,
                messages: [
                  new ToolMessage({ content: 'answered', tool_call_id: toolCall.id ?? '' }),
                  new HumanMessage('And now?'),
                ],
              },
            }),
          beforeModel: ({ n }: AnyState) => void seen.push(n),
        }),
      ],
      ...{ tools: [countingTool('count')], ...twice },
    })
    expect(results).toMatchObject([{ status: 'success', result: 'answered' }])
    expect(seen).toEqual([0, 7])
    expect(asked[1]?.at(-1)).toBe('And now?')
  })

  test('cancelled within its call ends the run as cancelled', async () => {
    const abort = new AbortController()
    const { events } = await play({
      middleware: () => [
        make({
          wrapToolCall: async (request, handler) => {
            const running = handler(request)
            abort.abort()
            return running
          },
        }),
      ],
      tools: [countingTool('count', { run: () => new Promise(() => {}) })],
      ...{ ...twice, signal: abort.signal },
    })
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
  })
})

describe('tools of a middleware [D7.1]', () => {
  test('read the state and change it, also several at once', async () => {
    const seen: unknown[] = []
    const add = tool(
      async ({ by }: { by: number }, runtime: AnyState) => {
        const message = new ToolMessage({
          content: `${runtime.state.sum} and ${by}`,
          tool_call_id: runtime.toolCallId,
        })
        return new Command({ update: { sum: by, messages: [message] } }) as never
      },
      { name: 'add', description: 'Adds.', schema: z.object({ by: z.number() }) },
    )
    const stateSchema = new StateSchema({
      sum: new ReducedValue(z.number().default(1), { reducer: (a: number, b: number) => a + b }),
    })
    const { results } = await play({
      middleware: () => [
        make({
          ...{ stateSchema: stateSchema as never, tools: [add] },
          beforeModel: ({ sum }: AnyState) => void seen.push(sum),
        }),
      ],
      script: [
        {
          toolCalls: [
            { name: 'add', arguments: { by: 2 } },
            { name: 'add', arguments: { by: 3 } },
          ],
        },
        { text: 'Done.' },
      ],
    })
    expect(seen).toEqual([1, 6])
    expect(results.map(({ result }) => result)).toContain('1 and 2')
  })

  test('end the run where they return directly', async () => {
    const last = tool(() => 'My word.', {
      ...{ name: 'last', description: 'Ends.', schema: z.object({}), returnDirect: true },
    })
    const { text, requests } = await play({
      middleware: () => [make({ tools: [last] })],
      script: [calls('last')],
    })
    expect(text).toBe('My word.')
    expect(requests).toHaveLength(1)
  })

  test('are governed as their options say', () => {
    const last = tool(() => '', { name: 'last', description: 'x', schema: z.object({}) })
    const { tools } = fromLangChainMiddleware(make({ tools: [last] }), {
      toolOptions: () => ({ approval: 'ask', untrusted: true }),
    })
    expect(tools).toMatchObject([{ name: 'last', approval: 'ask', untrusted: true }])
  })
})

test.each<[string, object, string]>([
  ['a stream transformer', { streamTransformers: [() => ({})] }, 'transforms a stream'],
  ['a tool of the provider', { tools: [{ type: 'web_search' }] }, 'the provider runs itself'],
])('%s is refused when the adapter is made', (_, config, told) => {
  expect(() => fromLangChainMiddleware(make(config as never))).toThrow(told)
})

test('a hook that throws ends the run, and the fault names the middleware [D7.1]', async () => {
  const { error, faults, requests } = await play({
    middleware: () => [
      make({
        beforeModel: () => {
          throw new Error('odd')
        },
      }),
    ],
  })
  expect(error).toMatchObject({ error_code: 'internal' })
  expect(faults[0]?.message).toBe('middleware tested failed in beforeModel: odd')
  expect(requests).toHaveLength(0)
})
