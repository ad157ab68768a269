import { expect, test } from 'vitest'
import { rpcError } from './errors.ts'

test('a message of the server is told as one line without control characters', () => {
  const message = 'no\u001b[2J\u009b2J\u0007\u0000 such\r\n\ttable\u2028FORGED LOG LINE\u007f'
  const error = rpcError({ code: -32000, message })
  expect(error.message).toBe('mcp error -32000: no such   table FORGED LOG LINE')
  expect(error.rpc).toEqual({ code: -32000, message })
})

test('a long message of the server is told by its beginning, and kept to 64 KiB', () => {
  const data = { text: 'd'.repeat(100_000) }
  const error = rpcError({ code: 1, message: 'é'.repeat(15_000_000), data })
  expect(error.message).toBe(`mcp error 1: ${'é'.repeat(2048)}…`)
  expect(error.rpc?.message).toBe('é'.repeat(32_768))
  expect(error.rpc?.data).toBe(data)
})

test('a character is not cut in half', () => {
  const error = rpcError({ code: 1, message: `a${'😀'.repeat(100_000)}` })
  expect(error.message.isWellFormed()).toBe(true)
  expect(error.rpc?.message.isWellFormed()).toBe(true)
  expect(Buffer.byteLength(error.rpc?.message ?? '')).toBeLessThanOrEqual(65_536)
})
