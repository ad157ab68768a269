import { describe, expect, test } from 'vitest'
import type { RequestOptions, ToolDefinition } from '../client/contract.ts'
import { toCallResult } from './call-result.ts'
import type { ToolSelection } from './contract.ts'
import { convertMcpTools } from './convert.ts'
import { createToolRegistry } from './registry.ts'

const inputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  properties: {
    path: { type: 'string', description: 'Where', pattern: '^/' },
    depth: { type: ['integer', 'null'] },
    deep: { type: 'object', properties: { inner: { type: 'string' } } },
  },
  required: ['path', 'deep', 'not_there'],
  additionalProperties: false,
}

interface Call {
  tool: string
  args: Record<string, unknown>
  options: RequestOptions
}

function convert(
  definitions: ToolDefinition[],
  { selection, toolPrefix }: { selection?: ToolSelection; toolPrefix?: string } = {},
) {
  const calls: Call[] = []
  const tools = convertMcpTools({
    server: 'fs',
    definitions,
    async call({ name }, args, options) {
      calls.push({ tool: name, args, options })
      return toCallResult({ content: [{ type: 'text', text: `did ${name}` }], _meta: { n: 1 } })
    },
    ...(selection && { selection }),
    ...(toolPrefix !== undefined && { toolPrefix }),
  })
  return { tools, calls }
}

const named = (...names: string[]): ToolDefinition[] =>
  names.map((name) => ({ name, inputSchema: { type: 'object' } }))

const withSchema = (schema: unknown) =>
  convert([{ name: 't', inputSchema: schema } as ToolDefinition]).tools[0]

describe('tools of a server', () => {
  test('TestConvertMCPTools_Basic', async () => {
    const definition = { name: 'read.file', description: 'Reads a file', inputSchema }
    const { tools, calls } = convert([definition])
    expect(tools).toHaveLength(1)
    expect(tools[0]).toMatchObject({
      name: 'mcp.fs.read.file',
      originalName: 'read.file',
      wireName: 'mcp--fs--read--file',
      server: 'fs',
      description: '[MCP:fs] Reads a file',
      definition,
    })
    const { signal } = new AbortController()
    const context = { toolName: 'mcp.fs.read.file', callId: 'c', extra: {}, signal }
    expect(await tools[0]?.handler(context, { path: '/a' })).toBe('did read.file')
    expect(calls).toEqual([{ tool: 'read.file', args: { path: '/a' }, options: { signal } }])
  })

  test('the whole result is there for who wants it', async () => {
    const { tools, calls } = convert(named('a'))
    expect(await tools[0]?.callRaw({ x: 1 }, { timeoutMs: 5 })).toEqual({
      text: 'did a',
      raw: { content: [{ type: 'text', text: 'did a' }], _meta: { n: 1 } },
    })
    await tools[0]?.callRaw()
    expect(calls).toEqual([
      { tool: 'a', args: { x: 1 }, options: { timeoutMs: 5 } },
      { tool: 'a', args: {}, options: {} },
    ])
  })

  test('a tool without a description is described by its server', () => {
    expect(convert(named('a')).tools[0]?.description).toBe('[MCP:fs]')
  })

  test('the template of the names is the one given', () => {
    const { tools } = convert(named('a'), { toolPrefix: '{server}__{tool}' })
    expect(tools[0]).toMatchObject({ name: 'fs__a', wireName: 'fs__a', originalName: 'a' })
  })

  test('TestConvertMCPTools_RawSchemaPreserved', () => {
    const tool = withSchema(inputSchema)
    expect(tool?.rawJsonSchema).toBe(inputSchema)
    expect(tool?.toJsonSchema()).toEqual({
      name: 'mcp.fs.t',
      description: '[MCP:fs]',
      parameters: inputSchema,
    })
  })

  test('TestConvertMCPTools_ExtractParams', () => {
    expect(withSchema(inputSchema)?.parameters).toEqual([
      { name: 'path', type: 'string', description: 'Where', required: true },
      { name: 'depth', required: false },
      { name: 'deep', type: 'object', required: true },
    ])
  })

  test.each([
    ['no schema', undefined],
    ['a schema that is no object', 'string'],
    ['no properties', { type: 'object' }],
    ['properties that are no object', { properties: ['a'] }],
    ['malformed properties', { properties: { a: 'string', b: null, c: [], d: true } }],
  ])('%s gives no parameters and no failure', (_what, schema) => {
    expect(withSchema(schema)?.parameters).toEqual([])
  })

  test('a malformed property leaves the others alone, as does a malformed part of one', () => {
    const properties = { bad: 7, good: { type: 'string', description: { not: 'text' } } }
    expect(withSchema({ properties })?.parameters).toEqual([
      { name: 'good', type: 'string', required: false },
    ])
  })

  test('without a schema the model is told of an object without properties', () => {
    expect(withSchema(undefined)?.toJsonSchema().parameters).toEqual({
      type: 'object',
      properties: {},
    })
  })

  test.each([
    ['the names listed', ['b'], [false, true]],
    ['none, when it is no list', 'b', [false, false]],
    ['only those that are text', [1, null, 'a', {}], [true, false]],
  ])('TestConvertMCPTools_Required: %s', (_what, required, expected) => {
    const tool = withSchema({ properties: { a: {}, b: {} }, required })
    expect(tool?.parameters.map((parameter) => parameter.required)).toEqual(expected)
  })
})

describe('of the tools of a server [C2.2]', () => {
  const names = ['read_file', 'write_file', 'list_dir', 'read_dir', 'mcp.fs.x']
  const kept = (selection: ToolSelection) =>
    convert(named(...names), { selection }).tools.map((tool) => tool.originalName)

  test('TestConvertMCPTools_AllowedFilter: patterns see the name of the server, whole', () => {
    expect(kept({ allowedTools: ['read_*', 'list_dir'] })).toEqual([
      'read_file',
      'list_dir',
      'read_dir',
    ])
    expect(kept({ allowedTools: ['mcp.fs.*'] })).toEqual(['mcp.fs.x'])
    expect(kept({ allowedTools: ['read'] })).toEqual([])
    expect(kept({ allowedTools: [] })).toEqual(names)
  })

  test('TestConvertMCPTools_BlockedFilter: blocked wins over allowed', () => {
    expect(kept({ blockedTools: ['*_file'] })).toEqual(['list_dir', 'read_dir', 'mcp.fs.x'])
    expect(kept({ allowedTools: ['read_*'], blockedTools: ['*_file'] })).toEqual(['read_dir'])
  })

  test('TestConvertMCPTools_MaxTools: the first of what passes, in the order of the server', () => {
    expect(kept({ maxTools: 2 })).toEqual(['read_file', 'write_file'])
    expect(kept({ maxTools: 2, blockedTools: ['read_file'] })).toEqual(['write_file', 'list_dir'])
    expect(kept({ maxTools: 99 })).toEqual(names)
    expect(kept({ maxTools: 0 })).toEqual(names)
  })

  test.each<[pattern: string, names: string[]]>([
    ['*_file', ['read_file', 'write_file']],
    ['*', ['read_file', 'write_file', 'list_dir', 'read_dir', 'mcp.fs.x']],
    ['a/*', ['a/b']],
    ['?????dir', ['list_dir', 'read_dir']],
    ['a?b', []],
    ['[p-z]*_[a-f]*', ['read_file', 'write_file', 'read_dir']],
    ['[^r]*_*', ['write_file', 'list_dir']],
    ['\\rea\\d_file', ['read_file']],
    ['read_[', []],
  ])('%s stands for %j, where it is allowed and where it is blocked', (pattern, expected) => {
    const all = [...names, 'a/b']
    const under = (selection: ToolSelection) =>
      convert(named(...all), { selection }).tools.map((tool) => tool.originalName)
    expect(under({ allowedTools: [pattern] })).toEqual(expected)
    expect(under({ blockedTools: [pattern] })).toEqual(
      all.filter((name) => !expected.includes(name)),
    )
  })
})

test('converted tools are registered, shown to a model, run by name and removed [C1.3]', async () => {
  const properties = { path: { type: 'string', description: 'Where' }, bad: 'string', all: {} }
  const { tools } = convert([
    { name: 'read', inputSchema: { type: 'object', properties, required: ['path'] } },
    ...[undefined, { type: 'object' }, { properties: 'none' }].map(
      (inputSchema, index) => ({ name: `list${index}`, inputSchema }) as ToolDefinition,
    ),
  ])
  expect(tools.map(({ parameters }) => parameters)).toEqual([
    [
      { name: 'path', type: 'string', description: 'Where', required: true },
      { name: 'all', required: false },
    ],
    ...[[], [], []],
  ])
  const registry = createToolRegistry()
  for (const tool of tools) registry.register(tool)
  expect(registry.toJsonSchemas()[0]).toEqual({
    name: 'mcp--fs--read',
    description: '[MCP:fs]',
    parameters: { type: 'object', properties, required: ['path'] },
  })
  expect(await registry.execute('mcp.fs.read', {})).toBe('did read')
  expect(await registry.execute('mcp--fs--list0', {})).toBe('did list0')
  expect(registry.remove('mcp.fs.read')).toBe(true)
  await expect(registry.execute('mcp.fs.read', {})).rejects.toThrow('"mcp.fs.read" not found')
  expect(registry.toJsonSchemas()).toHaveLength(3)
})
