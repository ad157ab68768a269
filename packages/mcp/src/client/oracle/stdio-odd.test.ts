import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createStdioTransport } from '../../transports/stdio/stdio-transport.ts'
import type { EraVerdict } from '../contract.ts'
import { openClient } from '../open-client.ts'

const script = fileURLToPath(new URL('./test-stdio-odd.ts', import.meta.url))

async function open(mode: string, remembered?: EraVerdict) {
  let starts = 0
  const createTransport = () => {
    starts += 1
    return createStdioTransport({ command: process.execPath, args: [script, mode] })
  }
  const begun = performance.now()
  const opened = await openClient({ createTransport, remembered, timeoutMs: 60_000 })
  return { ...opened, starts, tookMs: performance.now() - begun }
}

test('a process that ends on the question is started again and greeted', async () => {
  const { client, server, verdict, starts } = await open('dies')
  expect(server).toMatchObject({ era: 'legacy', version: '2025-06-18' })
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['one'])
  expect(starts).toBe(2)
  await client.close()
  const again = await open('dies', verdict)
  expect(again.starts).toBe(1)
  await again.client.close()
})

test('a process that ignores the question is greeted on the same pipe, long before the timeout', async () => {
  const { client, server, starts, tookMs } = await open('silent')
  expect([server.era, starts]).toEqual(['legacy', 1])
  expect(tookMs).toBeGreaterThan(1_900)
  expect(tookMs).toBeLessThan(5 * 2_500)
  expect(await client.listTools()).toHaveLength(1)
  await client.close()
})

test('a slow server of both eras works at once, and as a modern one the next time', async () => {
  const { client, server, verdict, starts } = await open('slow')
  expect([server.era, verdict.era, starts]).toEqual(['legacy', 'modern', 1])
  const echoed = await client.callTool('echo', { text: 'slow' })
  expect(echoed.content).toEqual([{ type: 'text', text: 'slow' }])
  await client.close()
  const again = await open('slow', verdict)
  expect([again.server.era, again.starts]).toEqual(['modern', 1])
  const once = await again.client.callTool('echo', { text: 'modern' })
  expect(once).toMatchObject({ content: [{ type: 'text', text: 'modern' }] })
  await again.client.close()
})
