import { describe, expect, test } from 'vitest'
import { type Handler, sendJson, startHttpServer, toResult } from './test-http-server.ts'
import { failureOf, openHttp, toRequest } from './test-http-transport.ts'

const headers = { authorization: 'Bearer secret' }

/** Sends everything but `/there` on to there. */
const redirect =
  (status: number, location: string): Handler =>
  (request) => {
    if (request.path === '/there?a=b') sendJson(request.response, toResult(request))
    else request.response.writeHead(status, { location }).end('moved')
  }

describe('a redirect', () => {
  test.for([307, 308])('%i at the same origin is followed with everything', async (status) => {
    await using server = await startHttpServer(redirect(status, '/there?a=b'))
    await using opened = await openHttp({ url: server.url, headers })
    expect(await opened.transport.call(toRequest())).toMatchObject({ result: {} })
    const [, second] = server.seen
    expect(second).toMatchObject({ method: 'POST', path: '/there?a=b', message: toRequest() })
    expect(second?.headers.authorization).toBe('Bearer secret')
  })

  test.for([301, 302, 303])('%i is not: it would make a GET of it', async (status) => {
    await using server = await startHttpServer(redirect(status, '/there?a=b'))
    await using opened = await openHttp({ url: server.url, headers })
    const failure = await failureOf(opened.transport.call(toRequest()))
    expect(failure).toMatchObject({ kind: 'http', statusCode: status, retryable: false })
    expect(server.seen).toHaveLength(1)
  })

  test.for([307, 308, 302])('%i to another origin is not, and says where to', async (status) => {
    await using other = await startHttpServer(() => {})
    await using server = await startHttpServer(redirect(status, `${other.origin}/there?k=secret`))
    await using opened = await openHttp({ url: server.url, headers })
    const failure = await failureOf(opened.transport.call(toRequest()))
    expect(failure).toMatchObject({ statusCode: status, bodyPreview: 'moved', mayHaveRun: false })
    expect(failure.message).toBe(
      `mcp: http ${status}: moved (a redirect to ${other.origin}, which is not followed)`,
    )
    expect(other.connections()).toBe(0)
  })

  test('that leads round and round is left after three', async () => {
    await using server = await startHttpServer(redirect(307, '/mcp'))
    await using opened = await openHttp({ url: server.url })
    expect(await failureOf(opened.transport.call(toRequest()))).toMatchObject({ statusCode: 307 })
    expect(server.seen).toHaveLength(4)
  })

  test('with a user name in it is not followed', async () => {
    await using server = await startHttpServer(redirect(307, `http://user:secret@127.0.0.1/there`))
    await using opened = await openHttp({ url: server.url })
    const failure = await failureOf(opened.transport.call(toRequest()))
    expect(failure.message).not.toContain('secret')
  })

  test.for(['', 'http://[', undefined])('to nowhere (%j) is a refusal', async (location) => {
    await using server = await startHttpServer(({ response }) => {
      if (location !== undefined) response.setHeader('location', location)
      response.writeHead(307).end('moved')
    })
    await using opened = await openHttp({ url: server.url })
    const failure = await failureOf(opened.transport.call(toRequest()))
    expect(failure.message).toBe('mcp: http 307: moved')
  })
})
