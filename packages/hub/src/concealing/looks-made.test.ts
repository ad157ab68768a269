import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { looksMade } from './looks-made.ts'

test('what machines make at random does, with its scheme and without', () => {
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    const tokens = Array.from({ length: 500 }, () => randomBytes(24).toString(encoding))
    expect(tokens.filter(looksMade).length).toBeGreaterThan(490)
    const sent = tokens.map((token) => `Bearer ${token}`)
    expect(sent.filter(looksMade).length).toBeGreaterThan(490)
  }
  expect(looksMade(randomUUID())).toBe(true)
  expect(looksMade(`Bearer ${randomUUID()}`)).toBe(true)
  expect(looksMade('sk-canary-abcdefghijklmnop')).toBe(true)
  expect(looksMade(`Basic ${Buffer.from('ana:hunter2hunter2').toString('base64')}`)).toBe(true)
})

test.each([
  'customers',
  'acme-corporation-2024',
  'customer20241234',
  'Bearer acme-corporation',
  '203.0.113.177',
  '2001:0db8:85a3:0000:0000:8a2e:0370:7334',
  'tools.acme.example:8443',
  'https://mcp.acme.example/v1/tools',
  'application/json; charset=utf-8',
  'Mozilla/5.0 (X11; Linux x86_64)',
  'DataAgentGateway',
])('%s does not', (text) => {
  expect(looksMade(text)).toBe(false)
})
