import { waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import {
  asLegacyServer,
  type Handler,
  sendJson,
  sendStream,
  startHttpServer,
  toEvent,
  toResult,
} from './test-http-server.ts'
import { failureOf, openHttp, toRequest } from './test-http-transport.ts'

const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }
const question = { jsonrpc: '2.0', id: 'q1', method: 'elicitation/create', params: {} }

async function prepare(handler: Handler) {
  const server = await startHttpServer(asLegacyServer(handler))
  const opened = await openHttp({ url: server.url }, 'legacy')
  return {
    ...opened,
    server,
    async [Symbol.asyncDispose]() {
      await opened.transport.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

describe('an answer', () => {
  test('comes as a JSON body', async () => {
    await using given = await prepare((request) =>
      sendJson(request.response, toResult(request, { text: 'hi' })),
    )
    expect(await given.transport.call(toRequest())).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { text: 'hi' },
    })
    const [post] = given.server.of('POST').slice(-1)
    expect(post?.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    })
  })

  test('comes on a stream, after what else the server has to say', async () => {
    await using given = await prepare((request) => {
      sendStream(request.response, ': hello\n\n', toEvent(progress), toEvent(question))
      sendStream(request.response, toEvent(toResult(request, { n: 1 }), 'event: message\n'))
      request.response.end()
    })
    const answer = await given.transport.call(toRequest())
    expect(answer).toMatchObject({ id: 1, result: { n: 1 } })
    expect(given.messages).toEqual([progress, question])
    expect(given.owners).toEqual([1, 1])
  })

  test('may be a JSON-RPC error, with our id or with none', async () => {
    const error = { code: -32_602, message: 'no such tool' }
    await using given = await prepare(({ message, response }) =>
      sendJson(response, { jsonrpc: '2.0', id: message.id === 1 ? 1 : null, error }),
    )
    expect(await given.transport.call(toRequest())).toEqual({ jsonrpc: '2.0', id: 1, error })
    const second = toRequest('tools/call', {}, 2)
    expect(await given.transport.call(second)).toEqual({ jsonrpc: '2.0', id: 2, error })
  })

  test('may come in a batch with other messages', async () => {
    await using given = await prepare((request) =>
      sendJson(request.response, [progress, toResult(request)]),
    )
    expect(await given.transport.call(toRequest())).toMatchObject({ id: 1, result: {} })
    expect(given.messages).toEqual([progress])
  })

  test.for(['application/json; charset=utf-8', 'APPLICATION/JSON', 'text/plain', undefined])(
    'is read when it calls itself %s',
    async (type) => {
      await using given = await prepare((request) => {
        if (type !== undefined) request.response.setHeader('content-type', type)
        request.response.end(JSON.stringify(toResult(request)))
      })
      expect(await given.transport.call(toRequest())).toMatchObject({ id: 1 })
    },
  )

  test('to each of many calls at once is its own', async () => {
    const waiting: (() => void)[] = []
    await using given = await prepare((request) => {
      waiting.push(() => sendJson(request.response, toResult(request, request.message.params)))
      if (waiting.length === 100) for (const answer of waiting.reverse()) answer()
    })
    const calls = Array.from({ length: 100 }, (_, n) => toRequest('tools/call', { n }, n))
    const answers = await Promise.all(calls.map((call) => given.transport.call(call)))
    expect(answers.map((answer) => 'result' in answer && answer.result)).toEqual(
      calls.map(({ params }) => params),
    )
  })
})

describe('an answer that is none', () => {
  test('of HTML says so', async () => {
    await using given = await prepare(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>')
    })
    const error = await failureOf(given.transport.call(toRequest()))
    expect(error).toMatchObject({ kind: 'protocol', retryable: false, mayHaveRun: true })
    expect(error.message).toBe('mcp: the server sent text/html that is not JSON')
  })

  test.for([
    ['nothing', ''],
    ['JSON that is no message', '{"ok":true}'],
    ['half a message', '{"jsonrpc":"2.0",'],
    ['the answer to another request', '{"jsonrpc":"2.0","id":77,"result":{}}'],
    ['only a notification', JSON.stringify(progress)],
  ])('of %s is a protocol error', async ([, body]) => {
    await using given = await prepare(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    })
    expect(await failureOf(given.transport.call(toRequest()))).toMatchObject({ kind: 'protocol' })
  })

  test('but 202 is a protocol error', async () => {
    await using given = await prepare(({ response }) => void response.writeHead(202).end())
    const error = await failureOf(given.transport.call(toRequest()))
    expect(error.message).toBe('mcp: the server accepted "tools/call" and did not answer it')
  })
})

describe('on a stream', () => {
  test('what is no message is skipped and told, and other answers too', async () => {
    await using given = await prepare((request) => {
      const other = { jsonrpc: '2.0', id: 99, result: {} }
      sendStream(request.response, 'data: junk\n\n', 'event: other\ndata: x\n\n', toEvent(other))
      sendStream(request.response, toEvent(toResult(request)))
      request.response.end()
    })
    expect(await given.transport.call(toRequest())).toMatchObject({ id: 1 })
    expect(given.warnings).toEqual([
      'an event of the server was skipped: mcp: the server sent an answer that is not JSON',
      'the server answered what nobody asked',
    ])
  })

  test('a second answer is not taken for another', async () => {
    await using given = await prepare((request) => {
      sendStream(request.response, toEvent(toResult(request, 1)), toEvent(toResult(request, 2)))
      request.response.end()
    })
    expect(await given.transport.call(toRequest())).toMatchObject({ result: 1 })
  })

  test('an answer is given at once, and one that is not ended then is left', async () => {
    await using given = await prepare((request) => {
      sendStream(request.response, toEvent(toResult(request)))
    })
    await given.transport.call(toRequest())
    const held = given.server.open()
    await waitFor(() => given.server.open() < held, { timeoutMs: 10_000 })
  })

  test('the connection is used again', async () => {
    await using given = await prepare((request) => {
      request.response.writeHead(200, { 'content-type': 'text/event-stream' })
      request.response.end(toEvent(toResult(request)))
    })
    for (let id = 1; id <= 20; id += 1) {
      await given.transport.call(toRequest('tools/call', {}, id))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(given.server.connections()).toBeLessThanOrEqual(3)
  })

  test('the end without an answer fails the call', async () => {
    await using given = await prepare(({ response }) => {
      sendStream(response, toEvent(progress))
      response.end()
    })
    const error = await failureOf(given.transport.call(toRequest()))
    expect(error).toMatchObject({ kind: 'network', retryable: true, mayHaveRun: true })
  })
})

test('what JSON cannot hold is refused before it is sent', async () => {
  await using given = await prepare(() => {})
  const before = given.server.of('POST').length
  const error = await failureOf(given.transport.call(toRequest('x', { big: 1n })))
  expect(error).toMatchObject({ kind: 'config', mayHaveRun: false })
  expect(given.server.of('POST')).toHaveLength(before)
})

describe('a cancel', () => {
  test('before the call sends nothing', async () => {
    await using given = await prepare(() => {})
    const before = given.server.of('POST').length
    const signal = AbortSignal.abort('enough')
    const error = await failureOf(given.transport.call(toRequest(), { signal }))
    expect(error).toMatchObject({ kind: 'cancelled', mayHaveRun: false, cause: 'enough' })
    await failureOf(given.transport.send(progress as never, { signal }))
    expect(given.server.of('POST')).toHaveLength(before)
  })

  test.for([
    ['before the answer', () => {}],
    ['in a body', ({ response }) => void response.write('{"jsonrpc"')],
    ['on a stream', ({ response }) => sendStream(response, toEvent(progress))],
  ] as [string, Handler][])('%s ends the call and its connection at once', async ([, handler]) => {
    await using given = await prepare(handler)
    const controller = new AbortController()
    const call = failureOf(given.transport.call(toRequest(), { signal: controller.signal }))
    const request = await waitFor(() =>
      given.server.of('POST').find(({ message }) => message.method === 'tools/call'),
    )
    const closed = new Promise((resolve) => request.response.once('close', resolve))
    controller.abort()
    expect(await call).toMatchObject({ kind: 'cancelled', mayHaveRun: true })
    await closed
  })
})
