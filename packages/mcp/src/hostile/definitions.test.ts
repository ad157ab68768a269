import { longCount, startHostileHttp, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createMcpManager } from '../manager/manager.ts'
import type { McpTool } from '../tools/contract.ts'
import { connectTo } from './test-connect.ts'
import { startHostile, transports } from './test-hostile.ts'
import { longTestMs, range } from './test-outcomes.ts'
import { expectFreeLoop, watchLoop } from './test-watch.ts'

describe.each(transports)('the tools of a server over %s', (transport) => {
  test(
    'may change while one runs: it ends well, and the next look shows the new ones',
    async () => {
      await using hostile = await startHostile(transport, 'list_changes_mid_call')
      await using rig = await connectTo(hostile)
      const { connection } = rig
      for (const _ of range(longCount(2, 50))) {
        const before = connection.tools
        expect(await rig.call('echo', { message: 'as before' })).toBe('as before')
        await waitFor(() => connection.tools !== before)
        expect(connection.tools[0]?.description).toMatch(/^Changed by /)
      }
    },
    longTestMs,
  )

  test('are found though some of them have schemas that are traps [T14]', async () => {
    await using elsewhere = await startHostileHttp('none')
    const knobs = { url: `${elsewhere.url}/schema.json` }
    await using hostile = await startHostile(transport, 'schema_bomb', knobs)
    const loop = watchLoop()
    await using manager = createMcpManager()
    await manager.addServer(hostile.config('bad'))
    expect(await manager.callTool('mcp.bad.echo', { message: 'here' })).toBe('here')
    for (const tool of manager.listTools()) tool.toJsonSchema()
    expect(await manager.callTool('mcp.bad.any_of', { a: 1 }).catch(() => 'refused')).toBe(
      'refused',
    )
    expectFreeLoop(loop.stop())
    expect(elsewhere.notes('request')).toEqual([])
  })

  test('that are named oddly are offered under safe names of their own, or not at all', async () => {
    await using hostile = await startHostile(transport, 'odd_names')
    await using good = await startHostile('http', 'none')
    await using manager = createMcpManager()
    await manager.addServer(good.config('good'))
    await manager.addServer(hostile.config('bad'))
    const tools = manager.listTools('good', 'bad') as McpTool[]
    for (const { wireName } of tools) expect(wireName).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(new Set(tools.map(({ wireName }) => wireName)).size).toBe(tools.length)
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
    await manager.callTool('mcp.good.count')
    expect(good.notes('effect')).toEqual(['count'])
    expect(hostile.notes('effect')).toEqual([])
  })
})
