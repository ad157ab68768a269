import { expect, test } from 'vitest'
import { toCallContext } from './call-context.ts'
import type { Caller, Exchange } from './contract.ts'

const principal = { tenant_id: 'acme', user_id: null, role: 'user', group_id: 'g' }
const caller = { principal, owner_key: 'key-1', client: 'API key' } as unknown as Caller
const request = { jsonrpc: '2.0', id: 1, method: 'tools/call' } as const

function contextOf(asker?: string) {
  const exchange: Exchange = {
    ...{ era: 'modern', version: '2026-07-28', capabilities: {}, logLevel: undefined, asker },
    signal: new AbortController().signal,
    notify() {},
    ask: () => Promise.reject(new Error('not asked')),
  }
  return toCallContext(caller, request, { exchange, holdMs: 0 })
}

test('who calls without a session is told apart by the credential [E6.1]', () => {
  expect(contextOf().asker).toBe('key-1')
  expect(contextOf('session-1').asker).toBe('session-1')
})
