import { expect, expectTypeOf, test } from 'vitest'
import { parseAs } from '../field-errors.ts'
import { sharedServerCreateSchema } from '../rest/index.ts'
import { createSecret, toSecretView } from '../secret.ts'
import {
  type ServerConfigInput,
  type ServerUpdateInput,
  serverConfigSchema,
  serverInfoSchema,
  serverUpdateSchema,
} from './index.ts'
import { serverStatusSchema } from './server-info.ts'

const parse = (value: unknown) => parseAs(serverConfigSchema, value, 'server')

test('a command alone is a stdio server with the documented defaults', () => {
  const { env, ...config } = parse({ name: 'files', command: 'node' }) as { env: object }
  expect(env).toEqual({})
  expect(config).toEqual({
    name: 'files',
    transport: 'stdio',
    command: 'node',
    args: [],
    trigger_keywords: [],
    timeout: 30,
    maxRetries: 3,
    allowedTools: [],
    blockedTools: [],
    maxTools: 0,
    disabled: false,
    toolTimeouts: {},
    idempotentTools: [],
    approval: 'default',
    toolApproval: {},
    pinning: 'pin',
    quarantine: false,
    trustedOutput: false,
    healthEvery: 30,
    credentials: 'shared',
  })
})

test('a url alone is a Streamable HTTP server; SSE is asked for', () => {
  const url = 'https://mcp.example/sse'
  expect(parse({ name: 'a', url }).transport).toBe('http')
  expect(parse({ name: 'a', url, transport: 'sse' }).transport).toBe('sse')
})

test('a timeout of 0 or less is the default, and 0 retries stay 0', () => {
  for (const timeout of [0, -1])
    expect(parse({ name: 'a', command: 'x', timeout }).timeout).toBe(30)
  expect(parse({ name: 'a', command: 'x', timeout: 1.5, maxRetries: 0 })).toMatchObject({
    timeout: 1.5,
    maxRetries: 0,
  })
})

test('header, environment and proxy values are secrets from the first moment', () => {
  const canary = 'sk-canary-0123456789'
  const remote = { name: 'a', url: 'https://mcp.example', proxy: `http://u:${canary}@proxy` }
  const http = parse({ ...remote, headers: { Authorization: `Bearer ${canary}`, 'X-Empty': '' } })
  const stdio = parse({ name: 'b', command: 'x', env: { KEY: canary } })
  expect(JSON.stringify([http, stdio])).not.toContain(canary)
  if (http.transport === 'stdio') throw new Error('not remote')
  expect(http.headers.Authorization?.reveal()).toBe(`Bearer ${canary}`)
  expect(http.headers['X-Empty']?.reveal()).toBe('')
})

test.each([
  [
    { name: 'a', transport: 'grpc', url: 'https://x' },
    'transport: expected "stdio" | "http" | "sse", got "grpc"',
  ],
  [{ name: 'a' }, 'expected `url`, or `command` for a local server, got neither'],
  [{ name: '../a', command: 'x' }, 'name: expected 1 to 64 letters'],
  [{ name: 'a', command: 'x\0' }, 'command: expected text without NUL'],
  [{ name: 'a', command: 'x', env: { 'A=B': '1' } }, 'env["A=B"]: expected name: letters'],
  [{ name: 'a', command: 'x', url: 'https://x' }, 'url: expected no such field'],
  [{ name: 'a', command: 'x', tenant_id: 't2' }, 'tenant_id: expected no such field'],
  [{ name: 'a', command: 'x', trigger_keywords: ['a'] }, 'trigger_keywords[0]'],
  [{ name: 'a', command: 'x', blockedTools: Array(201).fill('a*') }, 'blockedTools'],
  [
    {
      name: 'a',
      command: 'x',
      toolTimeouts: Object.fromEntries(Array.from(Array(201).keys(), (n) => [`t${n}`, 1])),
    },
    'toolTimeouts: expected at most 200 patterns',
  ],
  [{ name: 'a', url: 'file:///etc/passwd' }, 'url: expected a http or https URL'],
  [{ name: 'a', url: 'https://u:p@x' }, 'url: expected a URL without user and password'],
  [
    { name: 'a', url: 'https://x', headers: { A: 'b\r\nC: d' } },
    'headers.A: expected text without',
  ],
])('%j is refused by its field', (value, told) => {
  expect(() => parse(value)).toThrow(told)
})

test('an update keeps a secret whose view is sent back and takes a new one as text', () => {
  const headers = { Old: toSecretView(createSecret('x'.repeat(30))), New: 'fresh' }
  const update = parseAs(serverUpdateSchema, { url: 'https://x', headers }, 'update')
  if (update.transport === 'stdio') throw new Error('not remote')
  const { Old, New } = update.headers
  expect(Old).toEqual({ set: true, last4: 'xxxx' })
  expect(New && 'reveal' in New && New.reveal()).toBe('fresh')
})

test('an answer cannot hold the value of a secret', () => {
  const info = {
    ...{ name: 'a', server_id: 's1', scope: 'tenant', user_id: null, status: 'running' },
    tool_count: 2,
    ...{ created_at: 1, updated_at: 1, transport: 'stdio', command: 'x' },
  }
  expect(serverInfoSchema.safeParse({ ...info, env: { KEY: { set: true } } }).success).toBe(true)
  expect(serverInfoSchema.safeParse({ ...info, env: { KEY: 'sk-canary' } }).success).toBe(false)
})

test('a server is running, stopped or in error', () => {
  expect(serverStatusSchema.options).toEqual(['running', 'stopped', 'error'])
})

test('what is taken has a type: a name that is spelled wrong is seen before it runs', () => {
  const url = 'https://mcp.example/mcp'
  const taken: ServerConfigInput[] = [
    { name: 'a', command: 'node', env: { KEY: 'k' } },
    { name: 'a', url, headers: { Authorization: 'Bearer x' } },
    { name: 'a', url, transport: 'sse', timeout: 5 },
  ]
  const refused: ServerConfigInput[] = [
    // @ts-expect-error there is no such field
    { nam: 'a', url },
    // @ts-expect-error there is no such field
    { name: 'a', url, timeuot: 5 },
    // @ts-expect-error there is no such transport
    { name: 'a', url, transport: 'websocket' },
    // @ts-expect-error it is neither started nor reached
    { name: 'a' },
  ]
  for (const config of taken) expect(() => parse(config)).not.toThrow()
  for (const config of refused) expect(() => parse(config)).toThrow()
  expectTypeOf<{ url: string; headers: { A: { set: true } } }>().toExtend<ServerUpdateInput>()
  expectTypeOf<unknown>().not.toExtend<ServerUpdateInput>()
})

test('the shape of the other route is named, and what to send instead', () => {
  const config = { name: 'a', url: 'https://a.example' }
  expect(() => parse({ config })).toThrow('config: expected its fields here')
  expect(() => parseAs(sharedServerCreateSchema, config, 'body')).toThrow(
    'config: expected the configuration of the server, got nothing; name: expected no such field',
  )
})
