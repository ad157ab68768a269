import { expect, test } from 'vitest'
import { closedError, McpError, protocolError, rpcError, timeoutError } from '../errors.ts'
import { judgeDiscovery } from './discovery.ts'

const discovered = (...supportedVersions: unknown[]) => ({ result: { supportedVersions } })
const unsupported = (data: unknown) => ({ error: rpcError({ code: -32022, message: 'no', data }) })
const http = (statusCode: number, rpc?: { code: number; message: string; data?: unknown }) => ({
  error: new McpError({
    kind: 'http',
    code: 'upstream_failed',
    message: `mcp: http ${statusCode}`,
    statusCode,
    ...(rpc !== undefined && { rpc }),
  }),
})

test('a result that names a known version is modern', () => {
  expect(judgeDiscovery(discovered('2027-01-01', '2026-07-28', '2025-11-25'))).toMatchObject({
    kind: 'modern',
    version: '2026-07-28',
  })
})

test.each([
  ['a result of another shape', { result: { tools: [] } }],
  ['an empty result', { result: {} }],
  ['no result', { result: null }],
  ['versions that are no texts', discovered(7)],
  ['older versions alone', discovered('2025-11-25')],
  ['an unknown method', { error: rpcError({ code: -32601, message: 'Method not found' }) }],
  ['a server not initialized', { error: rpcError({ code: -32602, message: 'not initialized' }) }],
  ['an error of its own', { error: rpcError({ code: 0, message: '' }) }],
  ['a refused version with older ones', unsupported({ supported: ['2025-11-25'] })],
  ['a refused version without a list', unsupported(undefined)],
  ['HTTP 400', http(400)],
  ['HTTP 404', http(404)],
  ['HTTP 405', http(405)],
  ['HTTP 404 with an error', http(404, { code: -32601, message: 'Method not found' })],
  ['HTTP 400 of a lost session', http(400, { code: -32000, message: 'No session' })],
  ['an answer that is not JSON', { error: protocolError('not JSON') }],
])('%s is legacy', (_, outcome) => {
  expect(judgeDiscovery(outcome)).toEqual({ kind: 'legacy' })
})

test('a refused version is asked for again where both sides know one', () => {
  const fault = { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } }
  const again = { kind: 'again', version: '2026-07-28' }
  expect(judgeDiscovery(unsupported(fault.data))).toMatchObject(again)
  expect(judgeDiscovery(http(400, fault))).toMatchObject(again)
})

test.each([
  ['of a result', discovered('2027-03-01')],
  ['of an error', unsupported({ supported: ['2027-03-01', '2025-11-25'] })],
])('newer versions alone %s are an error that names both sides', (_, outcome) => {
  expect(judgeDiscovery(outcome)).toMatchObject({
    kind: 'error',
    error: { kind: 'protocol', message: expect.stringMatching(/"2027-03-01".*: 2026-07-28/) },
  })
})

const cut = { kind: 'network', code: 'upstream_failed', message: '', mayHaveRun: true } as const
test.each([
  ['HTTP 500', http(500, { code: -32601, message: 'Method not found' })],
  ['HTTP 501', http(501)],
  ['HTTP 503', http(503)],
  ['a connection that was cut', { error: new McpError(cut) }],
])('%s leaves the era unclear', (_, outcome) => {
  expect(judgeDiscovery(outcome)).toEqual({ kind: 'unclear', error: outcome.error })
})

test.each([
  ['HTTP 401', http(401, { code: -32022, message: 'a body of the gate' })],
  ['HTTP 403', http(403)],
  ['HTTP 429', http(429)],
  ['a redirect', http(302)],
  ['silence', { error: timeoutError('it', 1, true) }],
  ['a server that has gone', { error: closedError('gone', true) }],
  [
    'no network',
    { error: new McpError({ kind: 'network', code: 'upstream_failed', message: '' }) },
  ],
  [
    'a need to sign in',
    { error: new McpError({ kind: 'sign_in', code: 'unauthenticated', message: '' }) },
  ],
])('%s says nothing of the era', (_, outcome) => {
  expect(judgeDiscovery(outcome)).toEqual({ kind: 'error', error: outcome.error })
})
