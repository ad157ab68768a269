import { longCount } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { longestHold } from '../../rpc/test-longest-hold.ts'
import { openTransport } from './test-transport.ts'

const mebibyte = 1024 * 1024

test('the thread is held for less than 50 ms by an answer of 15 MiB, cut off or not', async () => {
  await using server = await openTransport()
  await using strict = await openTransport({ maxMessageBytes: mebibyte })
  const bytes = 15 * mebibyte
  await server.ask('large', { bytes })
  expect(await longestHold(() => server.ask('large', { bytes }))).toBeLessThan(50)
  const refused = () => strict.ask('large', { bytes }).catch(() => {})
  expect(await longestHold(refused)).toBeLessThan(50)
})

const largeLines = longCount(2, 20)

test(`of each of ${largeLines} lines of 100 MB no more is kept than is allowed [F5]`, {
  timeout: 120_000,
}, async () => {
  await using server = await openTransport()
  await server.ask('large', { bytes: 15 * mebibyte })
  const before = process.memoryUsage.rss()
  let peak = before
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 2)
  for (let i = 0; i < largeLines; i += 1) {
    const call = server.ask('large', { bytes: 100 * mebibyte })
    await expect(call).rejects.toMatchObject({ kind: 'too_large' })
    expect(await server.ask('echo', { i })).toEqual({ i })
  }
  clearInterval(sampling)
  // Measured: 15 to 60 MiB, of which what Node reads into before it is collected is most.
  expect(peak - before).toBeLessThan(100 * mebibyte)
})

test('the cost of a line grows with its size and no faster', { timeout: 120_000 }, async () => {
  await using server = await openTransport({ maxMessageBytes: 200 * mebibyte })
  const cost = async (bytes: number) => {
    const before = process.cpuUsage()
    expect(await server.ask('large', { bytes })).toHaveLength(bytes)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  await cost(10 * mebibyte)
  const ten = Math.min(await cost(10 * mebibyte), await cost(10 * mebibyte))
  const hundred = await cost(100 * mebibyte)
  expect(hundred / ten).toBeLessThan(30)
})

test('an answer that comes byte by byte is read', async () => {
  await using server = await openTransport()
  const params = { text: '订单'.repeat(longCount(200, 20_000)) }
  expect(await server.ask('drip', params)).toEqual(params)
})

describe('a line over the limit that does not tell whose it is', () => {
  const limit = { maxMessageBytes: 1000, graceMs: 500 }

  test('fails a single call at once', async () => {
    await using server = await openTransport(limit)
    const call = server.call('endless', { beginning: '{"result":"' })
    await expect(call).rejects.toMatchObject({ kind: 'too_large' })
  })

  test('fails all calls under way when its end does not come', async () => {
    await using server = await openTransport(limit)
    const calls = [server.call('hang'), server.call('endless', { beginning: '[{"id":1' })]
    for (const call of calls) await expect(call).rejects.toMatchObject({ kind: 'too_large' })
  })

  test('fails all calls under way when its end does not tell either', async () => {
    await using server = await openTransport(limit)
    const base64 = Buffer.from(`[${'"id",'.repeat(1000)}0]\n`).toString('base64')
    const calls = [server.call('hang'), server.call('write', { base64 })]
    for (const call of calls) await expect(call).rejects.toMatchObject({ kind: 'too_large' })
    expect(await server.ask('echo', { n: 1 })).toEqual({ n: 1 })
    expect(server.warnings).toEqual([])
  })

  test('fails none when it is a message of the server, or an answer to nobody', async () => {
    await using server = await openTransport(limit)
    const hung = server.call('hang')
    const text = 'x'.repeat(1000)
    const lines = [
      { jsonrpc: '2.0', method: 'note', params: { text } },
      { jsonrpc: '2.0', id: 1, method: 'ask', params: { text } },
      { jsonrpc: '2.0', id: 77, result: text },
    ].map((line) => `${JSON.stringify(line)}\n`)
    const base64 = Buffer.from(lines.join('')).toString('base64')
    expect(await server.ask('write', { base64 })).toBe('written')
    expect(server.warnings).toHaveLength(3)
    expect(server.messages).toEqual([])
    await server.ask('release')
    expect(await hung).toMatchObject({ id: 1 })
  })
})
