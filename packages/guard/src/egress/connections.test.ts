import { isAppError } from '@dataagent/schema/base'
import { createTestCertificate, longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { Lookup } from './connector.ts'
import { createEgress } from './egress.ts'
import { startTestServer } from './testing/test-server.ts'

const any = { mode: 'any' } as const
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('connections', () => {
  test('are used again, one after the other', async () => {
    await using server = await startTestServer((_, response) => void response.end('ok'))
    await using egress = createEgress({ policy: any })
    for (let i = 0; i < 50; i += 1) {
      await (await egress.request(server.origin)).text()
      await nextTurn()
    }
    expect(server.connections()).toBe(1)
  })

  test('of 1,000 requests, 20 at a time, stay near 20 and are all closed in the end', async () => {
    const count = longCount(1_000, 20_000)
    await using server = await startTestServer((_, response) => void response.end('ok'))
    const egress = createEgress({ policy: any })
    let left = count
    const worker = async () => {
      while (left-- > 0) {
        await (await egress.request(server.origin)).text()
        await nextTurn()
      }
    }
    await Promise.all(Array.from({ length: 20 }, worker))
    expect(server.requests).toHaveLength(count)
    expect(server.connections()).toBeLessThanOrEqual(40)
    await egress.close()
    await waitFor(() => server.open() === 0)
  })

  test('of calls that are aborted or whose body is dropped are freed', async () => {
    await using server = await startTestServer((request, response) => {
      if (request.url === '/body') response.write('never ends')
    })
    await using egress = createEgress({ policy: any })
    for (let i = 0; i < 20; i += 1) {
      const controller = new AbortController()
      const asked = egress.request(server.origin, { signal: controller.signal })
      await waitFor(() => server.open() === 1)
      controller.abort()
      await expect(asked).rejects.toThrow()
      await waitFor(() => server.open() === 0)
      const { body } = await egress.request(`${server.origin}/body`)
      body.destroy()
      await waitFor(() => server.open() === 0)
    }
  })

  test('serve several calls at once', async () => {
    let waiting = 0
    const { promise: all, resolve: release } = Promise.withResolvers<void>()
    await using server = await startTestServer(async (_, response) => {
      waiting += 1
      if (waiting === 30) release()
      await all
      response.end('ok')
    })
    await using egress = createEgress({ policy: any })
    const asked = Array.from({ length: 30 }, async () =>
      (await egress.request(server.origin)).text(),
    )
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['ok']))
  })
})

describe('policies', () => {
  test('never share a connection, so that an open one does not open the door for a stricter one', async () => {
    await using server = await startTestServer((_, response) => void response.end('ok'))
    const lookup: Lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    await using egress = createEgress({ policy: any, lookup })
    const url = `http://inside.example:${server.port}/`
    const strict = { mode: 'public' } as const
    const allowed = { mode: 'public', allowedAddresses: ['inside.example'] } as const
    const status = async (policy: typeof strict | typeof allowed | typeof any) => {
      const answer = await egress
        .request(url, { policy })
        .catch((error) => ({ status: error.code }))
      if ('text' in answer) await answer.text()
      await nextTurn()
      return answer.status
    }
    expect(await status(any)).toBe(200)
    expect(await status(strict)).toBe('egress_denied')
    expect(await status(allowed)).toBe(200)
    expect(await status(strict)).toBe('egress_denied')
    expect(server.connections()).toBe(2)
  })

  test('with the same rules share theirs, whichever object holds them', async () => {
    await using server = await startTestServer((_, response) => void response.end('ok'))
    await using egress = createEgress({ policy: any })
    for (let i = 0; i < 5; i += 1) {
      const policy = { mode: 'public', allowedAddresses: [`127.0.0.1:${server.port}`] } as const
      await (await egress.request(server.origin, { policy })).text()
      await nextTurn()
    }
    expect(server.connections()).toBe(1)
  })

  test('that change in place change at once', async () => {
    await using server = await startTestServer((_, response) => void response.end('ok'))
    const policy = { mode: 'public' as const, allowedAddresses: ['127.0.0.1'] }
    await using egress = createEgress({ policy })
    await (await egress.request(server.origin)).text()
    policy.allowedAddresses.length = 0
    const error = await egress.request(server.origin).catch((thrown) => thrown)
    expect(isAppError(error, 'egress_denied')).toBe(true)
  })

  test('of any number leave no more than a bounded number of pools open', async () => {
    await using server = await startTestServer((_, response) => void response.end('ok'))
    await using egress = createEgress({ policy: any })
    for (let i = 1; i <= 200; i += 1) {
      const policy = { mode: 'public', allowedAddresses: ['127.0.0.1', `10.0.0.${i}`] } as const
      await (await egress.request(server.origin, { policy })).text()
    }
    // Sooner than idle connections are closed by themselves.
    await waitFor(() => server.open() <= 64, { timeoutMs: 2_000 })
  })
})

describe('close', () => {
  test('cuts what is under way and refuses what comes after', async () => {
    await using server = await startTestServer((request, response) => {
      if (request.url === '/body') response.write('a piece')
    })
    const egress = createEgress({ policy: any, lookup: () => new Promise(() => {}) })
    const waiting = egress.request(server.origin).catch((error) => error)
    const opening = egress.request('http://never.example').catch((error) => error)
    const reading = (await egress.request(`${server.origin}/body`)).text().catch((error) => error)
    await egress.close()
    const late = egress.request(server.origin).catch((error) => error)
    for (const error of await Promise.all([waiting, opening, reading, late])) {
      expect(error).toMatchObject({ code: 'cancelled' })
    }
    await waitFor(() => server.open() === 0)
  })

  test('leaves nothing that keeps the process alive', async () => {
    await waitFor(() => activeSockets() === 0)
    {
      await using egress = createEgress({ policy: any, lookup: () => new Promise(() => {}) })
      const asked = egress.request('http://never.example').catch(() => {})
      await waitFor(() => activeSockets() === 1)
      void asked
    }
    await waitFor(() => activeSockets() === 0, { timeoutMs: 1_000 })
  })
})

describe('TLS', () => {
  test('takes a certificate of a trusted authority for the right name only', async () => {
    const tls = createTestCertificate('right.example')
    await using server = await startTestServer((_, response) => void response.end('ok'), { tls })
    const lookup: Lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    await using trusting = createEgress({ policy: any, lookup, ca: [tls.cert] })
    await using plain = createEgress({ policy: any, lookup })
    const right = `https://right.example:${server.port}/`
    expect(await (await trusting.request(right)).text()).toBe('ok')
    const wrong = trusting.request(`https://wrong.example:${server.port}/`)
    await expect(wrong).rejects.toMatchObject({ code: 'upstream_failed' })
    await expect(plain.request(right)).rejects.toMatchObject({ code: 'upstream_failed' })
    expect(server.requests).toHaveLength(1)
  })
})

function activeSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCP|TLS|GetAddrInfo/.test(name)).length
}
