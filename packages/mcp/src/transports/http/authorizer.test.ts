import { waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { Authorizer, Challenge } from '../../auth/contract.ts'
import { McpError } from '../../errors.ts'
import {
  asLegacyServer,
  type Handler,
  sendJson,
  startHttpServer,
  toResult,
} from './test-http-server.ts'
import { failureOf, openHttp, toRequest } from './test-http-transport.ts'

/** Gives `token-0`, and the next one after each challenge. */
function createAuthorizer(given: Partial<Authorizer> = {}) {
  const challenges: { challenge: Challenge; sent: Record<string, string> }[] = []
  const authorizer: Authorizer = {
    headers: async () => ({ Authorization: `Bearer token-${challenges.length}` }),
    async challenged(challenge, { sent }) {
      challenges.push({ challenge, sent })
    },
    ...given,
  }
  return { authorizer, challenges }
}

const scopeChallenge = 'Bearer error="insufficient_scope", scope="files:write"'

/** Takes requests that carry one of these tokens; refuses the rest. */
const accept =
  (tokens: string[], status = 401, challenge = 'Bearer realm="x"'): Handler =>
  (request) => {
    const { headers, response } = request
    if (tokens.some((token) => headers.authorization === `Bearer ${token}`)) {
      sendJson(response, toResult(request))
    } else response.writeHead(status, { 'www-authenticate': challenge }).end('who are you?')
  }

describe('an authorizer', () => {
  test('gives its headers to every request, in place of configured ones', async () => {
    const { authorizer } = createAuthorizer()
    await using server = await startHttpServer(asLegacyServer(accept(['token-0'])))
    const headers = { authorization: 'Bearer configured', 'x-mine': 'yes' }
    const opened = await openHttp({ url: server.url, headers, authorizer }, 'legacy')
    await opened.transport.call(toRequest())
    await waitFor(() => server.of('GET').length === 1)
    await opened.transport.close()
    for (const seen of server.seen) {
      expect(seen.headers).toMatchObject({ authorization: 'Bearer token-0', 'x-mine': 'yes' })
    }
    expect(server.of('DELETE')).toHaveLength(1)
  })

  test('overrides nothing of the protocol', async () => {
    const { authorizer } = createAuthorizer({
      headers: async () => ({ Accept: 'x', 'Content-Type': 'x', 'Mcp-Session-Id': 'x', a: 'b' }),
    })
    await using server = await startHttpServer(
      asLegacyServer((request) => sendJson(request.response, toResult(request))),
    )
    await using opened = await openHttp({ url: server.url, authorizer }, 'legacy')
    await opened.transport.call(toRequest())
    expect(server.of('POST').at(-1)?.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-session-id': 'session-1',
      a: 'b',
    })
  })

  test.for([
    [401, 'Bearer realm="x"'],
    [403, scopeChallenge],
  ] as const)('is told of %i, and the request is sent once more', async ([status, header]) => {
    const { authorizer, challenges } = createAuthorizer()
    await using server = await startHttpServer(accept(['token-1'], status, header))
    await using opened = await openHttp({ url: server.url, authorizer })
    expect(await opened.transport.call(toRequest())).toMatchObject({ result: {} })
    expect(challenges).toEqual([
      {
        challenge: { status, wwwAuthenticate: header },
        sent: { Authorization: 'Bearer token-0' },
      },
    ])
    expect(server.seen.map(({ message }) => message)).toEqual([toRequest(), toRequest()])
  })

  test('may sign in and then step up for one request', async () => {
    const { authorizer, challenges } = createAuthorizer()
    await using server = await startHttpServer((request) => {
      const isFirst = request.headers.authorization === 'Bearer token-0'
      accept(['token-2'], isFirst ? 401 : 403, isFirst ? 'Bearer' : scopeChallenge)(request)
    })
    await using opened = await openHttp({ url: server.url, authorizer })
    await opened.transport.call(toRequest())
    expect(challenges.map(({ challenge }) => challenge.status)).toEqual([401, 403])
  })

  test.for([
    [401, 'Bearer', 2],
    [403, scopeChallenge, 2],
    [403, 'Bearer error="invalid_token"', 1],
    [403, '', 1],
  ] as const)(
    'a server that refuses all with %i (%s) is asked so often: %i',
    async ([status, header, times]) => {
      const { authorizer } = createAuthorizer()
      await using server = await startHttpServer(accept([], status, header))
      await using opened = await openHttp({ url: server.url, authorizer })
      const failure = await failureOf(opened.transport.call(toRequest()))
      expect(failure).toMatchObject({ kind: 'http', statusCode: status, retryable: false })
      expect(server.seen).toHaveLength(times)
    },
  )

  test('a server that alternates is left after two more tries', async () => {
    const { authorizer } = createAuthorizer()
    let count = 0
    await using server = await startHttpServer((request) => {
      count += 1
      accept([], count % 2 === 1 ? 401 : 403, scopeChallenge)(request)
    })
    await using opened = await openHttp({ url: server.url, authorizer })
    await failureOf(opened.transport.call(toRequest()))
    expect(server.seen).toHaveLength(3)
  })

  test('may end the call with what a person has to do', async () => {
    const data = { authorizationUrl: 'https://as.example/authorize' }
    const signIn = new McpError({
      kind: 'sign_in',
      code: 'unauthenticated',
      message: 'mcp: sign in',
      data,
    })
    const { authorizer } = createAuthorizer({ challenged: () => Promise.reject(signIn) })
    await using server = await startHttpServer(accept([]))
    await using opened = await openHttp({ url: server.url, authorizer })
    expect(await failureOf(opened.transport.call(toRequest()))).toBe(signIn)
    const notification = { jsonrpc: '2.0', method: 'notifications/x' } as const
    expect(await failureOf(opened.transport.send(notification))).toBe(signIn)
  })

  test('that throws something else does not leave the call waiting', async () => {
    const { authorizer } = createAuthorizer({ headers: () => Promise.reject(new Error('oops')) })
    await using server = await startHttpServer(accept([]))
    await using opened = await openHttp({ url: server.url, authorizer })
    expect(await failureOf(opened.transport.call(toRequest()))).toMatchObject({ kind: 'config' })
    expect(server.seen).toEqual([])
  })

  test('that hangs does not keep a call from being cancelled', async () => {
    const { authorizer } = createAuthorizer({ headers: () => new Promise(() => {}) })
    await using server = await startHttpServer(accept([]))
    await using opened = await openHttp({ url: server.url, authorizer })
    const controller = new AbortController()
    const call = failureOf(opened.transport.call(toRequest(), { signal: controller.signal }))
    controller.abort()
    expect(await call).toMatchObject({ kind: 'cancelled', mayHaveRun: false })
  })

  test('is not asked to sign in when the session is ended', async () => {
    const { authorizer, challenges } = createAuthorizer()
    await using server = await startHttpServer((request) => {
      if (request.method === 'DELETE') request.response.writeHead(401).end()
      else asLegacyServer(() => {})(request)
    })
    const opened = await openHttp({ url: server.url, authorizer }, 'legacy')
    await opened.transport.close()
    expect([server.of('DELETE').length, challenges.length]).toEqual([1, 0])
  })
})

test('without an authorizer 401 is a refusal', async () => {
  await using server = await startHttpServer(accept([]))
  await using opened = await openHttp({ url: server.url })
  expect(await failureOf(opened.transport.call(toRequest()))).toMatchObject({
    kind: 'http',
    statusCode: 401,
    message: 'mcp: http 401: who are you?',
  })
})
