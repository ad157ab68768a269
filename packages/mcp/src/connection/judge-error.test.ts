import { describe, expect, test } from 'vitest'
import { openTestConnection } from './test-connection.ts'
import { failing, toFailure } from './test-failures.ts'
import { createTestServer } from './test-server.ts'

const url = 'https://sign-in.test/authorize'

describe('an attempt after a loss that fails', () => {
  test.each<[string, Parameters<typeof toFailure>, string]>([
    ['a refused connection', ['network'], 'backing_off'],
    ['a timeout', ['timeout'], 'backing_off'],
    ['a process that ended', ['closed'], 'backing_off'],
    ['a command that is not there', ['start', { data: { code: 'ENOENT' } }], 'backing_off'],
    ['an answer that is no MCP', ['protocol'], 'backing_off'],
    ['500', ['http', { statusCode: 500 }], 'backing_off'],
    ['503', ['http', { statusCode: 503 }], 'backing_off'],
    ['429', ['http', { statusCode: 429 }], 'backing_off'],
    ['408', ['http', { statusCode: 408 }], 'backing_off'],
    ['404', ['http', { statusCode: 404 }], 'backing_off'],
    ['400', ['http', { statusCode: 400 }], 'failed'],
    ['401', ['http', { statusCode: 401 }], 'failed'],
    ['403', ['http', { statusCode: 403 }], 'failed'],
    ['405', ['http', { statusCode: 405 }], 'failed'],
    ['an address that is not allowed', ['network', { code: 'egress_denied' }], 'failed'],
    ['a configuration that is wrong', ['config'], 'failed'],
    ['a sign-in', ['sign_in', { data: { authorizationUrl: url } }], 'needs_sign_in'],
  ])('with %s', async (_, failure, status) => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    server.startFails = toFailure(...failure)
    server.die()
    await clock.advanceAsync(250)
    expect(connection.state.status).toBe(status)
    expect(clock.pending()).toBe(status === 'backing_off' ? 1 : 0)
    await connection.close()
  })
})

describe('a call that fails', () => {
  type Case = [what: string, failure: Parameters<typeof toFailure>, status: string, pings: number]
  const cases: Case[] = [
    ['a JSON-RPC error', ['rpc', { rpc: { code: -32602, message: 'no' } }], 'ready', 0],
    ['an answer that is too large', ['too_large'], 'ready', 0],
    ['a refused connection', ['network'], 'backing_off', 0],
    ['a connection cut in the middle', ['network', { mayHaveRun: true }], 'ready', 1],
    ['a timeout', ['timeout'], 'ready', 0],
    ['500', ['http', { statusCode: 500 }], 'ready', 0],
    ['503', ['http', { statusCode: 503 }], 'ready', 0],
    ['429', ['http', { statusCode: 429 }], 'ready', 0],
    ['400', ['http', { statusCode: 400 }], 'ready', 1],
    ['401', ['http', { statusCode: 401 }], 'ready', 1],
    ['403', ['http', { statusCode: 403 }], 'ready', 1],
    ['404', ['http', { statusCode: 404 }], 'ready', 1],
    ['a sign-in for this call alone', ['sign_in'], 'ready', 1],
    ['a session that is lost', ['session_lost'], 'connecting', 0],
    ['a process that ended', ['closed'], 'backing_off', 0],
  ]

  test.each(cases)('with %s', async (_, failure, status, pings) => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    server.answers.set('tools/call', failing(toFailure(...failure)))
    await expect(connection.callTool('read')).rejects.toMatchObject({ kind: failure[0] })
    expect(connection.state.status).toBe(status)
    await clock.advanceAsync(0)
    expect(server.asked.filter((method) => method === 'ping')).toHaveLength(pings)
    await connection.close()
  })
})

describe('a probe that fails', () => {
  type Case = [what: string, failure: Parameters<typeof toFailure>, states: string[]]
  const cases: Case[] = [
    ['a ping that is not known', ['rpc', { rpc: { code: -32601, message: 'no' } }], []],
    ['429', ['http', { statusCode: 429 }], []],
    ['a refused connection', ['network'], ['backing_off 1']],
    ['a connection cut in the middle', ['network', { mayHaveRun: true }], ['backing_off 1']],
    ['503', ['http', { statusCode: 503 }], ['backing_off 1']],
    ['401', ['http', { statusCode: 401 }], ['backing_off 1']],
    ['an answer that is no MCP', ['protocol'], ['backing_off 1']],
    ['silence', ['timeout'], ['backing_off 1']],
    ['a session that is lost', ['session_lost'], ['connecting 1', 'ready']],
    ['a sign-in', ['sign_in'], ['needs_sign_in']],
  ]

  test.each(cases)('with %s', async (_, failure, expected) => {
    const server = createTestServer()
    const { connection, clock, states } = await openTestConnection(server)
    server.answers.set('ping', failing(toFailure(...failure)))
    await clock.advanceAsync(20_000)
    expect(states()).toEqual(expected)
    await connection.close()
  })

  test('with 400 asks for the tools, for some servers refuse pings', async () => {
    const refused = failing(toFailure('http', { statusCode: 400 }))
    const server = createTestServer()
    const { connection, clock, states } = await openTestConnection(server)
    server.answers.set('ping', refused)
    await clock.advanceAsync(20_000)
    expect(states()).toEqual([])
    server.answers.set('tools/list', refused)
    await clock.advanceAsync(20_000)
    expect(states()).toEqual(['backing_off 1'])
    await connection.close()
  })
})

test('a person signs in, and reconnect goes on from there', async () => {
  const server = createTestServer('read')
  const { connection, clock, states } = await openTestConnection(server)
  server.startFails = toFailure('sign_in', { data: { authorizationUrl: url } })
  server.die()
  await clock.advanceAsync(250)
  expect(connection.state).toMatchObject({ status: 'needs_sign_in', authorizationUrl: url })
  await expect(connection.callTool('read')).rejects.toMatchObject({
    kind: 'sign_in',
    retryable: false,
    data: { authorizationUrl: url },
  })
  server.startFails = undefined
  states()
  await connection.reconnect()
  expect(states()).toEqual(['connecting 1', 'ready'])
  expect(await connection.callTool('read')).toMatchObject({ content: [{ text: 'read' }] })
  await connection.close()
})
