import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createMcpManager } from '@dataagent/mcp'
import { firstLine, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { mallCommand, startMall, startMallProcess } from '../mall.ts'

const detail = 'mcp.mall.mall4j.order.get_detail'
const order = { orderId: 'order-0042' }

test('a killed mall comes back at its address, with its file, and so do its clients', async () => {
  await using directory = await temporaryDirectory()
  await using mall = await startMallProcess({ db: join(directory.path, 'mall.db') })
  await using manager = createMcpManager()
  await manager.addServer({ name: 'mall', transport: 'sse', url: mall.url, maxRetries: 0 })
  await manager.callTool('mcp.mall.mall4j.order.add_note', { ...order, text: 'kept' })
  const { pid } = mall
  await mall.kill()
  await waitFor(() => manager.listTools().length === 0)
  await mall.start()
  expect(mall.pid).not.toBe(pid)
  const found = await waitFor(() => manager.callTool(detail, order), { timeoutMs: 20_000 })
  expect(found).toContain('"notes":["kept"]')
})

test('a mall in a process of its own obeys as one in this process', async () => {
  const tool = 'mall4j.product.search'
  await using mall = await startMallProcess({ transport: 'http', delay: { [tool]: 1 } })
  await using manager = createMcpManager()
  await manager.addServer({ name: 'mall', transport: 'http', url: mall.url })
  await manager.callTool(`mcp.mall.${tool}`, { keyword: 'desk' })
  expect(await mall.calls(tool)).toMatchObject([{ tool, status: 'ok' }])
  await mall.forgetCalls()
  expect(await mall.calls()).toEqual([])
  await mall.delay(tool, 0)
  await mall.breakOutput(tool)
  const { raw } = await manager.callToolRaw(`mcp.mall.${tool}`, { keyword: 'desk' })
  expect(raw.structuredContent).not.toHaveProperty('products')
  await mall.changeTool(tool, { description: 'Other.' })
  await mall.offerTools([tool])
  await waitFor(() => manager.listTools()[0]?.description.endsWith('Other.'))
  await mall.dropStreams()
  await mall.forgetSessions()
  await mall.answer(500)
  await mall.answer('normal')
  await expect(mall.delay('nothing', 1)).rejects.toThrow('no tool nothing')
})

test('says where it listens in one line, and ends cleanly when told to', async () => {
  const { command, args } = mallCommand({ transport: 'sse' })
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  expect(await firstLine(child)).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\/sse$/)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('ends with the process that started it, however that ends', async () => {
  const program = `
    const { startMallProcess } = await import(${JSON.stringify(import.meta.resolve('../mall.ts'))})
    console.log((await startMallProcess()).pid)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program])
  const pid = Number(await firstLine(parent))
  parent.kill('SIGKILL')
  await waitFor(() => !isRunning(pid))
})

test('over stdio it can be looked at through a port', async () => {
  const { command, args } = mallCommand({ port: 0 })
  const lines: string[] = []
  await using manager = createMcpManager({
    onEvent: (event) => void (event.kind === 'stderr' && lines.push(event.line)),
  })
  await manager.addServer({ name: 'mall', transport: 'stdio', command, args })
  await manager.callTool(detail, order)
  const address = await waitFor(() => lines.find((line) => line.includes('/_demo')))
  const response = await fetch(`${address.split(' ').at(-1)}/calls`)
  expect(await response.json()).toMatchObject({ byTool: { 'mall4j.order.get_detail': 1 } })
})

test('a page of another origin, or by another name, is not let in', async () => {
  await using mall = await startMall()
  const url = `http://127.0.0.1:${mall.port}/_demo/calls`
  const asked = await fetch(url, { headers: { origin: 'https://example.com' } })
  expect(asked.status).toBe(403)
  expect((await fetch(url)).status).toBe(200)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
