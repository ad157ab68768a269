import { createMcpManager, isMcpError, type McpManager } from '@dataagent/mcp'
import { waitFor } from '@dataagent/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Mall, type MallOptions, startMall } from './mall.ts'

const search = 'mall4j.product.search'
const detail = 'mall4j.order.get_detail'
const addNote = 'mall4j.order.add_note'
const order = { orderId: 'order-0042' }

describe.each(['sse', 'http'] as const)('a mall over %s', (transport) => {
  let stack: AsyncDisposableStack
  beforeEach(() => {
    stack = new AsyncDisposableStack()
  })
  afterEach(() => stack.disposeAsync())

  async function open(options: MallOptions = {}): Promise<{ mall: Mall; manager: McpManager }> {
    const mall = stack.use(await startMall({ transport, ...options }))
    const manager = stack.use(createMcpManager())
    const headers = options.token ? { Authorization: `Bearer ${options.token}` } : undefined
    await manager.addServer({ name: 'mall', transport, url: mall.url, headers, maxRetries: 0 })
    return { mall, manager }
  }

  test('counts its calls, with arguments and _meta', async () => {
    const { mall, manager } = await open()
    const meta = { 'example.com/run': 'r-1' }
    await manager.callTool(`mcp.mall.${detail}`, order, { meta })
    await manager.callTool(`mcp.mall.${search}`, { keyword: 'desk' })
    expect(await mall.calls()).toHaveLength(2)
    expect(await mall.calls(detail)).toMatchObject([
      { tool: detail, arguments: order, _meta: meta, status: 'ok' },
    ])
    await mall.forgetCalls()
    expect(await mall.calls()).toEqual([])
  })

  test('lets in only who has the token', async () => {
    const { mall } = await open({ token: 'right' })
    const other = stack.use(createMcpManager())
    const headers = { Authorization: 'Bearer wrong' }
    const entered = other.addServer({ name: 'mall', transport, url: mall.url, headers })
    await expect(entered).rejects.toMatchObject({ statusCode: 401 })
  })

  test('offers the tools it is told to, then others', async () => {
    const { mall, manager } = await open({ tools: [detail] })
    expect(manager.connection('mall').tools.map(({ name }) => name)).toEqual([detail])
    await mall.offerTools([detail, search])
    await waitFor(() => manager.listTools().length === 2)
    await mall.offerTools('all')
    await waitFor(() => manager.listTools().length === 8)
  })

  test('tells of a tool that says something else now', async () => {
    const { mall, manager } = await open()
    const inputSchema = { type: 'object' as const, properties: { id: { type: 'string' } } }
    await mall.changeTool(detail, { description: 'Now this.', inputSchema })
    await waitFor(() =>
      manager.connection('mall').tools.some(({ description }) => description === 'Now this.'),
    )
    const [tool] = manager.connection('mall').tools.filter(({ name }) => name === detail)
    expect(tool?.inputSchema).toEqual(inputSchema)
  })

  test('leaves out a field that its output schema requires', async () => {
    const { mall, manager } = await open({ breakOutput: [detail] })
    const broken = await manager.callToolRaw(`mcp.mall.${detail}`, order)
    expect(Object.keys(broken.raw.structuredContent ?? {})).not.toContain('orderId')
    await mall.breakOutput(detail, false)
    const whole = await manager.callToolRaw(`mcp.mall.${detail}`, order)
    expect(whole.raw.structuredContent).toMatchObject(order)
  })

  test('takes its time, and stops when the caller does, before it has done anything', async () => {
    const { mall, manager } = await open({ delay: { [addNote]: 60_000 } })
    const note = { ...order, text: 'too late' }
    const call = manager.callTool(`mcp.mall.${addNote}`, note, { timeoutMs: 100 })
    await expect(call).rejects.toMatchObject({ kind: 'timeout' })
    await waitFor(async () => (await mall.calls())[0]?.status === 'cancelled')
    await mall.delay(addNote, 0)
    const { raw } = await manager.callToolRaw(`mcp.mall.${detail}`, order)
    expect(raw.structuredContent).toMatchObject({ notes: [] })
  })

  test.each([401, 404, 500] as const)('answers %s from now on, then as usual', async (status) => {
    const { mall, manager } = await open()
    await mall.answer(status)
    const call = manager.callTool(`mcp.mall.${detail}`, order)
    await expect(call).rejects.toSatisfy((error) => isMcpError(error))
    expect(await mall.calls()).toEqual([])
    await mall.answer('normal')
    await manager.connection('mall').reconnect()
    expect(await manager.callTool(`mcp.mall.${detail}`, order)).toContain('order-0042')
  })

  test('hangs, and goes on with what it held', async () => {
    const { mall, manager } = await open()
    await mall.answer('hang')
    const call = manager.callTool(`mcp.mall.${detail}`, order, { timeoutMs: 100 })
    await expect(call).rejects.toMatchObject({ kind: 'timeout' })
    const held = manager.callTool(`mcp.mall.${search}`, { keyword: 'desk' })
    await mall.answer('normal')
    expect(await held).toContain('desk')
  })

  test('drops its streams, and takes clients again', async () => {
    const { mall, manager } = await open({ delay: { [addNote]: 60_000 } })
    const call = manager.callTool(`mcp.mall.${addNote}`, { ...order, text: 'n' })
    await waitFor(async () => (await mall.calls()).length === 1)
    await mall.dropStreams()
    await expect(call).rejects.toSatisfy((error) => isMcpError(error))
    const again = () => manager.callTool(`mcp.mall.${detail}`, order)
    expect(await waitFor(again)).toContain('order-0042')
  })

  test('forgets its sessions, and takes clients again', async () => {
    const { mall, manager } = await open()
    await mall.forgetSessions()
    const again = () => manager.callTool(`mcp.mall.${detail}`, order)
    expect(await waitFor(again)).toContain('order-0042')
  })

  test('a tool that it does not have is not silently accepted', async () => {
    const { mall } = await open()
    await expect(mall.delay('mall4j.order.detail', 5)).rejects.toThrow('no tool')
    await expect(startMall({ transport, tools: ['nothing'] })).rejects.toThrow('no tool')
  })
})
