import { describe, expect, test } from 'vitest'
import { isMcpError } from '../errors.ts'
import type { ToolContext, ToolHandler } from './contract.ts'
import { toWireName } from './names.ts'
import { createToolRegistry } from './registry.ts'
import { createTool } from './tool.ts'

const toolNamed = (name: string, handler: ToolHandler = () => name) =>
  createTool({ name, description: `what ${name} does`, handler })

describe('a registry of tools', () => {
  test('runs a tool by its name with what the caller gives and fills in the rest', async () => {
    const seen: { context: ToolContext; args: unknown }[] = []
    const registry = createToolRegistry()
    registry.register(
      toolNamed('local.sum', (context, args) => {
        seen.push({ context, args })
        return 3
      }),
    )
    const { signal } = new AbortController()
    expect(await registry.execute('local.sum', { a: 1 }, { callId: 'c1', signal })).toBe(3)
    await registry.execute('local.sum', {})
    expect(seen[0]).toEqual({
      context: { toolName: 'local.sum', callId: 'c1', extra: {}, signal },
      args: { a: 1 },
    })
    expect(seen[1]?.context).toMatchObject({ toolName: 'local.sum', extra: {} })
    expect(seen[1]?.context.callId).toMatch(/./)
    expect(seen[1]?.context.signal).toBeUndefined()
  })

  test('rejects with what a handler throws', async () => {
    const registry = createToolRegistry()
    const failure = new Error('no disk')
    registry.register(
      toolNamed('fails', () => {
        throw failure
      }),
    )
    await expect(registry.execute('fails', {})).rejects.toBe(failure)
  })

  test('says which tool is not found', async () => {
    const registry = createToolRegistry()
    const error = await registry.execute('toString', {}).catch((caught: unknown) => caught)
    expect(isMcpError(error, 'not_found')).toBe(true)
    expect(error).toMatchObject({ code: 'not_found', message: 'mcp: tool "toString" not found' })
  })

  test('removes a tool and lists the others in their order', () => {
    const registry = createToolRegistry()
    for (const name of ['a', 'b.c', 'd']) registry.register(toolNamed(name))
    expect(registry.remove('b.c')).toBe(true)
    expect(registry.remove('b.c')).toBe(false)
    expect(registry.get('b--c')).toBeUndefined()
    expect(registry.list().map(({ name }) => name)).toEqual(['a', 'd'])
    registry.register(toolNamed('b.c'))
    expect(registry.list().map(({ name }) => name)).toEqual(['a', 'd', 'b.c'])
  })

  test('shows the model names that it accepts, and takes them back', async () => {
    const registry = createToolRegistry()
    const names = ['plain', 'mcp.fs.read_file', '数据.查询', 'x'.repeat(100)]
    for (const name of names) registry.register(toolNamed(name))
    const shown = registry.toJsonSchemas()
    for (const { name } of shown) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(shown[0]).toEqual(toolNamed('plain').toJsonSchema())
    expect(shown[1]?.name).toBe('mcp--fs--read_file')
    const ran = await Promise.all(shown.map(({ name }) => registry.execute(name, {})))
    expect(ran).toEqual(names)
  })

  test.each([
    ['is registered already', 'a.b', 'a.b', 'mcp: tool name "a.b" is taken'],
    ['is the wire name of another', 'a.b', 'a--b', 'mcp: tool name "a--b" is taken by "a.b"'],
    ['has the name of another as its wire name', 'a--b', 'a.b', '"a.b" is taken by "a--b"'],
  ])('refuses a tool whose name %s', (_why, first, second, told) => {
    const registry = createToolRegistry()
    registry.register(toolNamed(first))
    expect(() => registry.register(toolNamed(second))).toThrow(told)
    expect(registry.get(first)?.name).toBe(first)
    expect(registry.get(toWireName(first))?.name).toBe(first)
    expect(registry.list()).toHaveLength(1)
  })
})
