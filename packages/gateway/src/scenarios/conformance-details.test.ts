import { describe, expect, onTestFinished, test } from 'vitest'
import { startHost, type UpstreamEra } from '../../conformance/host.ts'

// What the official suites warn of, skip or take on trust.

const key = (name: string) => `io.modelcontextprotocol/${name}`

async function open(upstream: UpstreamEra) {
  const host = await startHost(upstream)
  onTestFinished(() => host[Symbol.asyncDispose]())

  async function post(body: Record<string, unknown>, headers: Record<string, string>) {
    const response = await fetch(`${host.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    })
    return { status: response.status, ...((await response.json()) as Answer) }
  }

  return {
    /** As a client without a handshake. */
    modern(method: string, params: Record<string, unknown> = {}, capabilities: object = {}) {
      const version = '2026-07-28'
      const _meta = { [key('protocolVersion')]: version, [key('clientCapabilities')]: capabilities }
      const name = params.name ?? params.uri
      return post(
        { method, params: { ...params, _meta } },
        {
          'mcp-protocol-version': version,
          'mcp-method': method,
          ...(typeof name === 'string' && { 'mcp-name': name }),
        },
      )
    },
    /** As a client of the revision before that keeps no session. */
    legacy: (method: string, params: Record<string, unknown> = {}) =>
      post({ method, params }, { 'mcp-protocol-version': '2025-11-25' }),
  }
}

interface Answer {
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}

describe.each(['legacy', 'modern'] as const)('before an upstream of the %s era', (upstream) => {
  test('a tool that needs what the client lacks is refused, naming it [E1.2]', async () => {
    const { modern } = await open(upstream)
    expect(await modern('tools/call', { name: 'test_missing_capability' })).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } },
    })
    const able = { sampling: {} }
    expect(await modern('tools/call', { name: 'test_missing_capability' }, able)).toMatchObject({
      status: 200,
      result: { resultType: 'input_required' },
    })
  })

  test('a resource that is not there has the code of the newest revision [E1.2]', async () => {
    const { modern } = await open(upstream)
    const uri = 'test://nowhere'
    expect(await modern('resources/read', { uri })).toMatchObject({
      error: { code: -32602, data: { uri } },
    })
  })

  test('an answer that the upstream gives on a later stream arrives [E1.2]', async () => {
    const { legacy } = await open(upstream)
    expect(await legacy('tools/call', { name: 'test_reconnection' })).toMatchObject({
      result: { content: [{ text: 'Reconnected.' }] },
    })
  })
})

test('answers that come with the first request are taken, and what is left is asked [E1.2]', async () => {
  const { modern } = await open('modern')
  const user_name = { action: 'accept', content: { name: 'Ada' } }
  const name = 'test_input_required_result_elicitation'
  const able = { elicitation: {}, sampling: {}, roots: {} }
  const given = { name, inputResponses: { user_name, other: user_name } }
  expect(await modern('tools/call', given, able)).toMatchObject({
    result: { resultType: 'complete', content: [{ text: 'Hello, Ada!' }] },
  })
  const all = { ...given, name: 'test_input_required_result_multiple_inputs' }
  const { result } = await modern('tools/call', all, able)
  expect(Object.keys(result?.inputRequests as object).sort()).toEqual(['client_roots', 'greeting'])
})
