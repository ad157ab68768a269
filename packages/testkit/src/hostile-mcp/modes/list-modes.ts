import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, everywhere, type Mode } from '../mode.ts'
import { respond } from '../scene.ts'
import type { ToolDefinition } from '../tools.ts'
import { onCall, onMethod } from './on-call.ts'

/** What a server says of its tools. */
export const listModes = {
  endless_pages: pages((page) => `page-${page}`),
  same_cursor: pages(() => 'again'),
  /** Far down in schemas that are small on the wire. */
  schema_bomb: tools(({ knobs }) => [
    toTool('any_of', toAnyOfBomb(knobs.count ?? 18)),
    toTool('pattern', { type: 'object', properties: { a: { pattern: '^(a+)+$' } } }),
    toTool('loop', { type: 'object', $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }),
    toTool('remote', { type: 'object', $ref: knobs.url ?? 'http://127.0.0.1:1/' }),
    toTool('proto', { type: 'object', properties: { constructor: { type: 'string' } } }),
  ]),
  deep_schema: tools(({ knobs }) => [toTool('deep', toNested(knobs.count ?? 500))]),
  huge_schema: tools(({ knobs }) => [toTool('huge', toHuge(knobs.bytes ?? 5e6))]),
  many_tools: tools(({ knobs }) =>
    Array.from({ length: knobs.count ?? 10_000 }, (_, index) => toTool(`tool_${index}`)),
  ),
  /** Names that are empty, odd, endless, taken twice, or another server's. */
  odd_names: tools(() =>
    [
      '',
      ' ',
      '../x',
      'a\u202eb',
      'é'.repeat(100),
      'x'.repeat(10_000),
      'constructor',
      'echo',
      'toString',
      'a\nb',
      'mcp.good.echo',
      'tool\u0000',
    ].map((name) => toTool(name)),
  ),
  /** Entries that are no definitions. */
  bad_list: tools(() => {
    const entries: unknown[] = [null, 1, 'x', [], {}, { name: 3 }, { name: 'half' }]
    return entries as ToolDefinition[]
  }),
  /** What `echo` gives is not what its definition says. */
  wrong_output: {
    on: everywhere,
    answer: (call) => (call.message.method === 'tools/list' ? listStrict(call) : sendLoose(call)),
  },
  /** The definitions change, and are said to, while a call runs. */
  list_changes_mid_call: {
    on: everywhere,
    answer: onCall(async (call) => {
      const { scene, peer, message } = call
      scene.tools = scene.tools.map((tool) => ({
        ...tool,
        description: `Changed by ${message.id}`,
      }))
      const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const
      if (scene.listeners.size === 0) await peer.notify(notice)
      for (const tell of scene.listeners) tell(notice)
      await sleep(scene.knobs.ms ?? 50)
      await call.proceed()
    }),
  },
} satisfies Record<string, Mode>

function pages(toCursor: (page: number) => string): Mode {
  return {
    on: everywhere,
    answer: onMethod('tools/list', async ({ peer, message, result }) => {
      const page = Number(String(message.params?.cursor ?? '').split('-')[1] ?? 0) + 1
      const tools = [toTool(`page_${page}`)]
      const listed = { ...(await result()).result, tools, nextCursor: toCursor(page) }
      await respond(peer, toResult(message.id, listed))
    }),
  }
}

/** These tools beside the good ones. */
function tools(toTools: (scene: Call['scene']) => ToolDefinition[]): Mode {
  return {
    on: everywhere,
    answer: onMethod('tools/list', async ({ peer, message, scene, result }) => {
      const listed = (await result()).result
      const all = [...scene.tools, ...toTools(scene)]
      await respond(peer, toResult(message.id, { ...listed, tools: all }))
    }),
  }
}

async function listStrict({ peer, message, scene, result }: Call): Promise<void> {
  const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const strict = scene.tools.map((tool) => ({ ...tool, outputSchema }))
  const listed = (await result()).result
  await respond(peer, toResult(message.id, { ...listed, tools: strict }))
}

async function sendLoose(call: Call): Promise<void> {
  if (call.message.method !== 'tools/call') return call.proceed()
  const { result } = await call.result()
  const structuredContent = { n: 'one', constructor: { prototype: { polluted: true } } }
  await respond(call.peer, toResult(call.message.id, { ...result, structuredContent }))
}

function toResult(id: Call['message']['id'], result: Record<string, unknown>) {
  return { jsonrpc: '2.0', id: id as number, result } as const
}

function toTool(name: string, inputSchema: Record<string, unknown> = { type: 'object' }) {
  return { name, description: 'A tool', inputSchema }
}

/** Each definition offers the next one twice: 2 ^ levels ways to fail. */
function toAnyOfBomb(levels: number): Record<string, unknown> {
  const toDef = (level: number) => {
    const next = { $ref: `#/$defs/d${level + 1}` }
    return [`d${level}`, level === levels ? { type: 'null' } : { anyOf: [next, next] }]
  }
  const $defs = Object.fromEntries(Array.from({ length: levels + 1 }, (_, level) => toDef(level)))
  return { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs }
}

function toNested(levels: number): Record<string, unknown> {
  let schema: Record<string, unknown> = { type: 'object' }
  for (let level = 0; level < levels; level += 1)
    schema = { type: 'object', properties: { a: schema } }
  return schema
}

function toHuge(bytes: number): Record<string, unknown> {
  const count = Math.ceil(bytes / 100)
  const toProperty = (_: unknown, index: number) => [`p${index}`, { description: 'x'.repeat(70) }]
  return {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: count }, toProperty)),
  }
}
