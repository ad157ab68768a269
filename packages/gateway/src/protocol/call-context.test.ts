import { expect, test } from 'vitest'
import { toCallContext } from './call-context.ts'
import type { Caller, Exchange } from './contract.ts'

const principal = { tenant_id: 'acme', user_id: null, role: 'user', group_id: 'g' }
const caller = { principal, owner_key: 'key-1', client: 'API key' } as unknown as Caller
const request = { jsonrpc: '2.0', id: 1, method: 'tools/call' } as const

function contextOf(asker?: string, more: Partial<Exchange> = {}) {
  const exchange: Exchange = {
    ...{ era: 'modern', version: '2026-07-28', capabilities: {}, logLevel: undefined, asker },
    signal: new AbortController().signal,
    notify() {},
    ask: () => Promise.reject(new Error('not asked')),
    ...more,
  }
  return toCallContext(caller, request, { exchange, holdMs: 0 })
}

test('who calls without a session is told apart by the credential [E6.1]', () => {
  expect(contextOf().asker).toBe('key-1')
  expect(contextOf('session-1').asker).toBe('session-1')
})

test('that a page is done with is passed on to who was asked to open it, under its id [A6.2]', async () => {
  const told: unknown[] = []
  const context = contextOf(undefined, {
    capabilities: { elicitation: { url: {} } },
    notify: (_, params) => void told.push(params.elicitationId),
    ask: async () => ({ action: 'accept' }),
  })
  const { signal } = new AbortController()
  const long = 'x'.repeat(257)
  for (const elicitationId of ['page-1', long]) {
    const page = { mode: 'url' as const, message: 'Sign in', url: 'https://a.example/' }
    await context.questions?.elicit?.({ ...page, elicitationId }, { signal })
  }
  for (const elicitationId of ['page-2', long, 'page-1']) {
    context.onNotice?.({ kind: 'elicitation_complete', elicitationId })
  }
  expect(told).toEqual(['page-1'])
})

test('a server is listened to where the client wants its log messages, from that level on [E5.2]', () => {
  expect(contextOf().onNotice).toBeUndefined()
  expect(contextOf(undefined, { logLevel: 'error' })).toMatchObject({ logLevel: 'error' })
  expect(contextOf(undefined, { logLevel: 'x'.repeat(9) })).toMatchObject({ logLevel: 'debug' })
  const { onNotice, logLevel } = contextOf(undefined, {
    capabilities: { elicitation: { url: {} } },
  })
  expect([typeof onNotice, logLevel]).toEqual(['function', undefined])
})
