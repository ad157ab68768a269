import { countingTool, of, startEngine, textOf } from '@dataagent/core/engine/test-engine'
import type { OwnTool, OwnToolContext } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { dispatchCustomEvent } from '@langchain/core/callbacks/dispatch'
import { ToolMessage } from '@langchain/core/messages'
import {
  DynamicStructuredTool,
  DynamicTool,
  ToolInputParsingException,
  tool,
} from '@langchain/core/tools'
import { Command } from '@langchain/langgraph'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod/v3'
import { fromLangChainTool, fromLangChainTools, type LangChainTool } from './from-langchain-tool.ts'
import { createReturnDirect } from './return-direct.ts'

const context: OwnToolContext = {
  principal: { tenant_id: 't1', user_id: 'ada', role: 'user' },
  ...{ session_id: 's1', call_id: 'h1', tool_call_id: 'c1', signal: new AbortController().signal },
}

const fields = { name: 'look', description: 'Looks.' }
const giving = (value: unknown, more: object = {}) =>
  tool(() => value as string, { ...fields, schema: z.object({}), ...more })
const run = (given: LangChainTool, args = {}) => fromLangChainTool(given).run(args, context)

describe('the signature of a tool is taken from [D8.4]', () => {
  const inputSchema = {
    type: 'object',
    properties: { at: { type: 'string' } },
    required: ['at'],
  }
  test.each<[string, LangChainTool]>([
    ['zod 4', tool(() => '', { ...fields, schema: z.object({ at: z.string() }) as never })],
    ['zod 3', tool(() => '', { ...fields, schema: z3.object({ at: z3.string() }) as never })],
    ['JSON Schema', tool(() => '', { ...fields, schema: inputSchema as never })],
    [
      'a DynamicStructuredTool',
      new DynamicStructuredTool({ ...fields, schema: inputSchema, func: async () => '' }),
    ],
  ])('%s', (_, given) => {
    const own = fromLangChainTool(given)
    expect(own).toMatchObject({ ...fields, inputSchema })
    expect(own.inputSchema).not.toHaveProperty('$schema')
  })

  test('zod, of which a field with a default may be left out', async () => {
    const schema = z.object({ at: z.string().default('sea') })
    const own = fromLangChainTool(tool(({ at }) => `saw ${at}`, { ...fields, schema }))
    expect(own.inputSchema).not.toHaveProperty('required')
    expect(await own.run({}, context)).toEqual({ content: [{ type: 'text', text: 'saw sea' }] })
  })

  test('one that takes a string', async () => {
    const own = fromLangChainTool(new DynamicTool({ ...fields, func: async (text) => `<${text}>` }))
    expect(own.inputSchema).toMatchObject({ properties: { input: { type: 'string' } } })
    expect(await own.run({ input: 'sea' }, context)).toEqual({
      content: [{ type: 'text', text: '<sea>' }],
    })
  })

  test.each<[string, object, string]>([
    ['a name with a space', { name: 'a b' }, '1 to 64 letters'],
    ['a schema of no object', { schema: { type: 'array' } }, 'must describe an object'],
  ])('%s is refused', (_, wrong, message) => {
    const given = { ...fields, schema: inputSchema, invoke() {}, ...wrong }
    expect(() => fromLangChainTool(given as never)).toThrow(message)
  })
})

describe('what a tool gives', () => {
  const text = (value: string) => ({ content: [{ type: 'text', text: value }] })
  test.each<[string, unknown, unknown]>([
    ['text', 'hi', text('hi')],
    ['nothing', '', { content: [] }],
    ['an object', { a: 1 }, text('{"a":1}')],
    ['a number', 3, text('3')],
    ['blocks of text', [{ type: 'text', text: 'a' }], text('a')],
    [
      'an image',
      [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }],
      { content: [{ type: 'image', mimeType: 'image/png', data: 'AA==' }] },
    ],
    [
      'a standard image',
      [{ type: 'image', source_type: 'base64', mime_type: 'image/png', data: 'AA==' }],
      { content: [{ type: 'image', mimeType: 'image/png', data: 'AA==' }] },
    ],
    [
      'an address',
      [{ type: 'image_url', image_url: 'https://a.example/x.png' }],
      { content: [{ type: 'resource_link', name: 'image', uri: 'https://a.example/x.png' }] },
    ],
    [
      'a file',
      [{ type: 'file', source_type: 'base64', mime_type: 'application/pdf', data: 'AA==' }],
      {
        content: [
          {
            type: 'resource',
            resource: { uri: 'attachment:file', mimeType: 'application/pdf', blob: 'AA==' },
          },
        ],
      },
    ],
    ['a block that nobody knows', [{ type: 'hologram', x: 1 }], text('{"type":"hologram","x":1}')],
    [
      'a message that says it failed',
      new ToolMessage({ content: 'no', tool_call_id: 'c1', status: 'error' }),
      { ...text('no'), isError: true },
    ],
  ])('%s', async (_, value, expected) => {
    expect(await run(giving(value))).toEqual(expected)
  })

  test('with an artifact, the content alone, but for structured content of MCP', async () => {
    const artifact = [{ type: 'mcp_structured_content', data: { a: 1 } }]
    const responseFormat = 'content_and_artifact'
    expect(await run(giving(['hi', { secret: 1 }], { responseFormat }))).toEqual(text('hi'))
    expect(await run(giving(['hi', artifact], { responseFormat }))).toEqual({
      ...text('hi'),
      structuredContent: { a: 1 },
    })
  })

  test('what it throws is told; an error of ours keeps its code', async () => {
    const failing = (error: Error) =>
      tool(() => Promise.reject(error), { ...fields, schema: z.object({}) })
    expect(await run(failing(new Error('not now')))).toEqual({ ...text('not now'), isError: true })
    const refused = new AppError('forbidden', 'no')
    await expect(run(failing(refused))).rejects.toBe(refused)
  })

  test('arguments that do not fit are invalid', async () => {
    const strict = tool(() => '', { ...fields, schema: z.object({ at: z.string() }) })
    await expect(run(strict, { at: 1 })).rejects.toMatchObject({
      code: 'invalid_arguments',
      cause: expect.any(ToolInputParsingException),
    })
  })

  test('a Command answers, and may change nothing and go nowhere by itself', async () => {
    const message = new ToolMessage({ content: 'done', tool_call_id: 'c1' })
    expect(await run(giving(new Command({ update: { messages: [message] } })))).toEqual(
      text('done'),
    )
    await expect(run(giving(new Command({ update: { todos: [] } })))).rejects.toThrow('sets todos')
    await expect(run(giving(new Command({ goto: 'elsewhere' })))).rejects.toThrow('goes elsewhere')
  })
})

test('a tool finds its thread, its call, a signal, a writer, and someone for its events', async () => {
  let seen: Record<string, unknown> = {}
  const looking = tool(
    async (_, config) => {
      seen = config as never
      seen.wrote = (config as { writer?: (chunk: unknown) => void }).writer?.('x')
      await dispatchCustomEvent('progress', { done: 1 }, config)
      return 'ok'
    },
    { ...fields, schema: z.object({}) },
  )
  await run(looking)
  expect(seen).toMatchObject({ configurable: { thread_id: 's1' }, toolCallId: 'c1' })
  expect(seen.signal).toBe(context.signal)
})

test('what LangChain knows nothing of is set by options [D8.4]', () => {
  const approval = (args: Record<string, unknown>) => {
    if (args.fail) throw new Error('no')
    return args.safe ? ('allow' as const) : ('ask' as const)
  }
  const options = { untrusted: true, idempotent: true, timeoutMs: 5, title: 'Look', category: 'x' }
  const [own] = fromLangChainTools([giving('')], { ...options, approval }) as [OwnTool]
  expect(own).toMatchObject(options)
  const judge = own.approval as (args: object) => string
  expect([{ safe: true }, {}, { fail: true }].map(judge)).toEqual(['allow', 'ask', 'ask'])
  expect(fromLangChainTool(giving(''))).toMatchObject({ approval: 'allow', untrusted: false })
  const metadata = { annotations: { destructiveHint: true } }
  expect(fromLangChainTool(giving('', { metadata })).annotations).toEqual(metadata.annotations)
})

describe("by default a tool of an MCP server is as that server's tools are in the hub", () => {
  const of = (annotations: object | undefined, options = {}) =>
    fromLangChainTool(giving('', { metadata: { annotations } }), options)
  const closed = { openWorldHint: false }

  test.each<[string, object | undefined, object]>([
    ['that says nothing', undefined, { approval: 'allow', untrusted: true }],
    ['that only reads', { readOnlyHint: true }, { approval: 'allow', untrusted: true }],
    ['of a closed world', closed, { approval: 'allow', untrusted: false }],
    ['that destroys', { destructiveHint: true }, { approval: 'ask', untrusted: true }],
    [
      'that destroys in a closed world',
      { ...closed, destructiveHint: true },
      { approval: 'ask', untrusted: false },
    ],
  ])('%s', (_, annotations, expected) => {
    expect(of(annotations)).toMatchObject(expected)
  })

  test('and its caller knows better', () => {
    const open = { destructiveHint: true, openWorldHint: true }
    const said = { approval: 'allow', untrusted: false } as const
    expect(of(open, said)).toMatchObject(said)
    expect(of(open, { annotations: closed })).toMatchObject({ ...said, annotations: closed })
    expect(of(closed, { annotations: open })).toMatchObject({ approval: 'ask', untrusted: true })
    expect(of(open, { idempotent: true })).toMatchObject({ approval: 'ask', untrusted: true })
  })
})

describe('in a run [D8.4]', () => {
  const calls = (name: string, args = {}) => ({ toolCalls: [{ name, arguments: args }] })

  test("LangChain's tool runs through the hub, and asks where it is to", async () => {
    const ran: unknown[] = []
    const schema = z.object({ at: z.string() })
    const look = tool((args) => `saw ${ran.push(args)}`, { ...fields, schema })
    const tools = [fromLangChainTool(look, { approval: 'ask' })]
    const script = [calls('look', { at: 'sea' }), { text: 'Done.' }]
    await using engine = await startEngine({ tools, script: [...script, ...script] })
    const refused = await engine.say('Go', { approvals: { kind: 'nothing' } })
    expect(of(refused, 'tool_result')).toMatchObject([{ status: 'error', outcome: 'denied' }])
    expect(ran).toEqual([])
    const setting = { kind: 'everything', setting: 'test' } as const
    const events = await engine.say('Go', { approvals: setting })
    expect(of(events, 'tool_result')).toMatchObject([{ status: 'success', result: 'saw 1' }])
    expect(ran).toEqual([{ at: 'sea' }])
    await engine.hub.audit.flush()
    const admin = { tenant_id: 'default', user_id: 'ada', role: 'admin' } as const
    const rows = await engine.hub.audit.query(admin, { limit: 10, offset: 0 })
    expect(rows.map(({ status }) => status)).toEqual(['ok', 'denied'])
  })

  test('arguments that do not fit never reach it', async () => {
    const look = tool(() => 'saw', { ...fields, schema: z.object({ at: z.string() }) })
    await using engine = await startEngine({
      tools: [fromLangChainTool(look)],
      script: [calls('look', { at: 1 }), { text: 'Done.' }],
    })
    const events = await engine.say('Go')
    expect(of(events, 'tool_result')).toMatchObject([{ status: 'error', outcome: 'invalid' }])
  })

  test('a tool that returns directly has the last word; one that failed has not', async () => {
    const tell = tool(({ ok }) => (ok ? 'My word.' : Promise.reject(new Error('no'))), {
      ...{ name: 'tell', description: 'Tells.', schema: z.object({ ok: z.boolean() }) },
      returnDirect: true,
    })
    const other = countingTool('other')
    await using engine = await startEngine({
      tools: [fromLangChainTool(tell), other],
      agent: { middleware: [createReturnDirect(['tell'])] },
      script: [calls('tell', { ok: false }), calls('other'), calls('tell', { ok: true })],
    })
    const events = await engine.say('Go')
    expect(textOf(events)).toBe('My word.')
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    expect(engine.standIn.requests).toHaveLength(3)
  })
})
