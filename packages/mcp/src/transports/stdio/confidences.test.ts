import { inspect } from 'node:util'
import { createCanary, expectNoCanary, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../http/test-http-transport.ts'
import { confidencesInEnvironment } from './confidences.ts'
import { openTransport } from './test-transport.ts'

const canary = createCanary()
const { apiKey, password, url, marker } = canary
const env = { API_KEY: apiKey, PASSWORD: password, DATABASE_URL: url }
const toParams = (text: string) => ({ base64: Buffer.from(`${text}\n`).toString('base64') })

describe('a server that says back its environment', () => {
  test('in lines that are no messages: they are told without it', async () => {
    await using server = await openTransport({ env })
    for (const text of [`key ${apiKey}`, `${'x'.repeat(100)}${apiKey}`, `{"key":"${apiKey}"}`])
      await server.ask('write', toParams(text))
    expect(server.warnings).toHaveLength(3)
    expect(server.warnings[0]).toMatch(/skipped: "key \*\*\*"$/)
    await expectNoPart(server.warnings)
  })

  test('as the id of an answer to nobody: it is told without it', async () => {
    await using server = await openTransport({ env })
    await server.ask('write', toParams(`{"jsonrpc":"2.0","id":"${apiKey}","result":{}}`))
    expect(server.warnings).toEqual([expect.stringContaining('answered request "***"')])
  })

  test('on stderr: the lines are handed on without it, long ones too', async () => {
    await using server = await openTransport({ env })
    const text = `fatal: ${apiKey} ${marker} ${Buffer.from(password).toString('base64')}\n`
    await server.ask('complain', { text })
    await server.ask('complain', { text: `${'y'.repeat(4070)}${apiKey}${'z'.repeat(100)}\n` })
    await waitFor(() => server.stderr.length === 2)
    expect(server.stderr[0]).toBe('fatal: *** *** ***')
    expect(server.stderr[1]).toMatch(/^y+ \[\d+ bytes more\]$/)
    await expectNoPart(server.stderr)
  })

  test('before it exits: the error tells its last words without it', async () => {
    await using server = await openTransport({ env })
    const text = `fatal: \u001b[31msk-\u001b[0m${apiKey.slice(3)} refused\n`
    const error = await failureOf(server.ask('exit', { code: 3, text }))
    expect(error.message).toBe('mcp: the server exited with code 3: fatal: *** refused')
    await waitFor(() => server.closes.length === 1)
    await expectNoPart([error, server.closes, await failureOf(server.ask('echo'))])
  })

  test('in a JSON-RPC error: it is told without it, and a result as it is', async () => {
    await using server = await openTransport({ env })
    const error = { code: -32000, message: `bad ${apiKey}`, data: { [apiKey]: [password] } }
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, error })
    expect(await server.call('say', { text })).toEqual({
      ...{ jsonrpc: '2.0', id: 1 },
      error: { code: -32000, message: 'bad ***', data: { '***': ['***'] } },
    })
    expect(await server.ask('environment')).toMatchObject(env)
  })
})

test('junk is told without control characters', async () => {
  await using server = await openTransport()
  await server.ask('write', toParams('a\u001b[2J\u0007\u007f\u009bb\u2028c'))
  expect(server.warnings[0]).not.toMatch(/[\p{Cc}\u2028]/u)
})

test('confidences are the long values that the host itself does not give, and their parts', () => {
  const base = { PATH: '/usr/local/bin', HOME: '/home/somebody' }
  const key = '-----BEGIN KEY-----\nabcdefghijkl\n-----END KEY-----'
  const given = { PATH: '/opt/other/bin', DATA: base.HOME, DEBUG: 'true', KEY: key }
  expect(confidencesInEnvironment(given, base)).toEqual([key, ...key.split('\n')])
  expect(confidencesInEnvironment({ URL: url })).toEqual([url, marker])
  expect(confidencesInEnvironment()).toEqual([])
})

/** Not even the beginning of the part that no masking may leave. */
async function expectNoPart(told: unknown): Promise<void> {
  const text = inspect(told, { depth: 12, maxStringLength: null })
  await expectNoCanary([canary], [{ name: 'told', text }])
  expect(text).not.toContain(marker.slice(0, 8))
}
