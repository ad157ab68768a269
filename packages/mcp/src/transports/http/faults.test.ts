import { createEgress } from '@dataagent/guard'
import { createFakeClock, longCount, startFaultProxy, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import {
  type Handler,
  sendJson,
  sendStream,
  startHttpServer,
  toEvent,
  toResult,
} from './test-http-server.ts'
import { failureOf, modernMeta, openHttp, toRequest } from './test-http-transport.ts'

async function prepare(handler: Handler) {
  const server = await startHttpServer(handler)
  const proxy = await startFaultProxy({ target: server.url })
  const opened = await openHttp({ url: proxy.url })
  return {
    ...opened,
    server,
    proxy,
    async [Symbol.asyncDispose]() {
      await opened.transport.close()
      await proxy[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

describe('a failure says what it was', () => {
  test('nobody listens', async () => {
    await using opened = await openHttp({ url: 'http://127.0.0.1:1/mcp?key=secret' })
    const failure = await failureOf(opened.transport.call(toRequest()))
    expect(failure).toMatchObject({ kind: 'network', retryable: true, mayHaveRun: false })
    expect(failure.message).toBe('mcp: 127.0.0.1:1 refused the connection.')
  })

  test.for([
    ['ENOTFOUND', 'is not a known host name.'],
    ['EAI_AGAIN', 'could not be looked up: the name server did not answer.'],
  ])('the name is not known (%s)', async ([code, says]) => {
    const lookup = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code }))
    await using egress = createEgress({ policy: { mode: 'any' }, lookup })
    await using opened = await openHttp({ url: 'http://nowhere.example/mcp', egress })
    const failure = await failureOf(opened.transport.call(toRequest()))
    expect(failure).toMatchObject({ kind: 'network', retryable: true, mayHaveRun: false })
    expect(failure.message).toBe(`mcp: nowhere.example:80 ${says}`)
  })

  test('the address may not be reached', async () => {
    await using egress = createEgress({ policy: { mode: 'public' } })
    const failure = await failureOf(openHttp({ url: 'http://127.0.0.1:1/mcp', egress }))
    expect(failure).toMatchObject({ kind: 'config', code: 'egress_denied', retryable: false })

    const lookup = async () => [{ address: '10.1.2.3', family: 4 }]
    await using resolving = createEgress({ policy: { mode: 'public' }, lookup })
    await using opened = await openHttp({ url: 'http://inside.example/mcp', egress: resolving })
    const later = await failureOf(opened.transport.call(toRequest()))
    expect(later).toMatchObject({ kind: 'config', code: 'egress_denied', mayHaveRun: false })
  })

  test('the connection is cut before the answer', async () => {
    await using given = await prepare(() => {})
    const call = failureOf(given.transport.call(toRequest()))
    await waitFor(() => given.server.seen.length === 1)
    await given.proxy.set({ kind: 'reset' })
    const failure = await call
    expect(failure).toMatchObject({ kind: 'network', retryable: true, mayHaveRun: true })
    expect(failure.message).toMatch(/^mcp: 127\.0\.0\.1:\d+ cut the connection\.$/)
  })

  test('the other end does not speak HTTP', async () => {
    await using given = await prepare((request) => sendJson(request.response, toResult(request)))
    await given.proxy.set({ kind: 'garbage', bytes: 64, direction: 'down' })
    const failure = await failureOf(given.transport.call(toRequest()))
    expect(['protocol', 'network']).toContain(failure.kind)
    expect(failure.mayHaveRun).toBe(true)
  })

  test('the body cannot be decoded', async () => {
    await using given = await prepare(({ response }) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')
    })
    const failure = await failureOf(given.transport.call(toRequest()))
    expect(failure).toMatchObject({ kind: 'protocol', retryable: false, mayHaveRun: true })
  })
})

const step = longCount(13, 1)

test(`a stream that is cut at any byte, in steps of ${step}, gives whole events alone and fails the call [F9]`, async () => {
  const notes = ['first', 'second'].map((text) => ({
    jsonrpc: '2.0',
    method: 'notifications/x',
    params: { text },
  }))
  await using given = await prepare((request) => {
    const { response } = request
    response.sendDate = false
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const note of notes) response.write(toEvent(note))
    response.end(toEvent(toResult(request, 'done')))
  })
  const before = given.proxy.counters().bytes.down
  await given.transport.call(toRequest())
  const length = given.proxy.counters().bytes.down - before
  let failures = 0
  for (let cut = 1; cut < length - 20; cut += step) {
    given.messages.length = 0
    await given.proxy.set({ kind: 'reset' }, 'open')
    await given.proxy.set({ kind: 'reset', afterBytes: cut, direction: 'down' }, 'new')
    const outcome = await given.transport.call(toRequest()).catch((error: unknown) => error)
    if (outcome instanceof Error) {
      failures += 1
      expect(outcome).toMatchObject({ kind: 'network', mayHaveRun: true, retryable: true })
    } else expect(outcome).toMatchObject({ result: 'done' })
    expect(given.messages).toEqual(notes.slice(0, given.messages.length))
  }
  expect(given.warnings).toEqual([])
  expect(failures).toBeGreaterThan((length - 100) / step)
}, 60_000)

test('an answer that drips is ended by the caller', async () => {
  await using given = await prepare((request) =>
    sendJson(request.response, toResult(request, 'x'.repeat(100_000))),
  )
  await given.proxy.set({ kind: 'drip', bytesPerMs: 1, direction: 'down' })
  const signal = AbortSignal.timeout(300)
  const began = performance.now()
  const failure = await failureOf(given.transport.call(toRequest(), { signal }))
  expect(failure).toMatchObject({ kind: 'cancelled', mayHaveRun: true })
  expect(performance.now() - began).toBeLessThan(10_000)
})

test('a listen stream that falls silent though it used to show life fails', async () => {
  const clock = createFakeClock()
  const acknowledged = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged' }
  await using server = await startHttpServer(({ response }) =>
    sendStream(response, toEvent(acknowledged)),
  )
  await using proxy = await startFaultProxy({ target: server.url })
  await using opened = await openHttp({ url: proxy.url, clock }, 'modern')
  const request = toRequest('subscriptions/listen', modernMeta)
  const listening = failureOf(opened.transport.call(request, { endless: true }))
  const { response } = await waitFor(() => server.seen[0])
  for (let beat = 1; beat <= 4; beat += 1) {
    clock.advance(20_000)
    sendStream(response, ': alive\n\n', toEvent(acknowledged))
    await waitFor(() => opened.messages.length === beat + 1)
  }
  await proxy.set({ kind: 'half_open' })
  clock.advance(80_000)
  expect(await listening).toMatchObject({ kind: 'network', retryable: true, mayHaveRun: true })
})

test('a server that was away is reached again by the same transport', async () => {
  await using given = await prepare((request) => sendJson(request.response, toResult(request)))
  await given.proxy.set({ kind: 'refuse' })
  expect(await failureOf(given.transport.call(toRequest()))).toMatchObject({ mayHaveRun: false })
  await given.proxy.set({ kind: 'pass' })
  expect(await given.transport.call(toRequest())).toMatchObject({ result: {} })
})
