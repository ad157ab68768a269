import { longCount } from '@dataagent/testkit'
import { expect, test, vi } from 'vitest'
import { createMcpClient } from './client.ts'
import type { McpClientOptions } from './contract.ts'
import { createTestServer, type Method } from './test-server.ts'

async function connect(list: Method, options: Partial<McpClientOptions> = {}) {
  const server = createTestServer({ methods: { 'tools/list': list } })
  const client = createMcpClient({ transport: server.transport, ...options })
  await client.initialize()
  return { client, server }
}

const asked = (methods: string[]) => methods.filter((method) => method === 'tools/list').length
const mebibyte = 1024 * 1024

/** Pages without end, one tool of about `bytes` each. */
const pagesOf =
  (bytes: number): Method =>
  ({ cursor = '0' }) => {
    const tool = { name: `t${cursor}`, description: 'x'.repeat(bytes) }
    return { tools: [tool], nextCursor: `${Number(cursor) + 1}` }
  }

test('pages that are too large together are given up, and the error says so', async () => {
  const { client, server } = await connect(pagesOf(10 * mebibyte))
  await expect(client.listTools()).rejects.toMatchObject({
    kind: 'too_large',
    code: 'too_large',
    message: `mcp: the server answered "tools/list" with more than ${32 * mebibyte} bytes in all`,
  })
  expect(asked(server.methods())).toBe(4)
})

test('what a page holds besides its items counts as well', async () => {
  const page: Method = ({ cursor = '0' }) => ({
    tools: [],
    _meta: { x: 'x'.repeat(600) },
    nextCursor: `${Number(cursor) + 1}`,
  })
  const { client, server } = await connect(page, { listLimits: { bytes: 2_000 } })
  await expect(client.listTools()).rejects.toMatchObject({ kind: 'too_large' })
  expect(asked(server.methods())).toBeLessThan(4)
})

test('a limit of its own leaves the others as they are', async () => {
  const { client } = await connect(() => ({ tools: [{ name: 'a' }] }), { listLimits: { pages: 1 } })
  expect(await client.listTools()).toMatchObject([{ name: 'a' }])
  const narrow = await connect(pagesOf(10), { listLimits: { bytes: 5_000 } })
  await expect(narrow.client.listTools()).rejects.toThrow('more than 5000 bytes')
})

test('a cursor that is too long is not sent back', async () => {
  const nextCursor = 'x'.repeat(4_097)
  const { client, server } = await connect(() => ({ tools: [], nextCursor }))
  await expect(client.listTools()).rejects.toMatchObject({
    kind: 'too_large',
    message: 'mcp: the server answered "tools/list" with a cursor of more than 4096 characters',
  })
  expect(asked(server.methods())).toBe(1)
})

test('of a list that is too long the first are taken where that is wanted, with a warning', async () => {
  const onWarning = vi.fn()
  const listLimits = { items: 3, cut: true }
  const endless = await connect(pagesOf(10), { listLimits, onWarning })
  const names = (await endless.client.listTools()).map(({ name }) => name)
  expect(names).toEqual(['t0', 't1', 't2'])
  expect(onWarning.mock.calls).toEqual([
    ['"tools/list" has more than 3 items: the first are taken'],
  ])
  expect(asked(endless.server.methods())).toBe(4)
  const tools = ['a', 'b', 'c', 'd'].map((name) => ({ name }))
  const long = await connect(() => ({ tools }), { listLimits })
  expect(await long.client.listTools()).toHaveLength(3)
})

test('a list of many items is taken where the limits allow it', async () => {
  const length = longCount(150_000, 1_000_000)
  const tools = Array.from({ length }, (_, i) => ({ name: `t${i}` }))
  const listLimits = { items: length, bytes: 1_000 * length }
  const { client } = await connect(() => ({ tools }), { listLimits })
  expect(await client.listTools()).toHaveLength(length)
})
