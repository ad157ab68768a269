import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test, vi } from 'vitest'
import { createTestServer } from '../connection/test-server.ts'
import type { McpServerConfig } from './contract.ts'
import { createMcpManager } from './manager.ts'
import { checkServerConfig, maxRetriesOf, timeoutMsOf } from './server-config.ts'
import { failureOf } from './test-manager.ts'

const stdio = { name: 'fs', transport: 'stdio', command: 'node' }
const http = { name: 'web', transport: 'http', url: 'http://127.0.0.1:9/mcp' }
const check = (config: object, hasOwnTransport = false) =>
  checkServerConfig(config as McpServerConfig, { hasOwnTransport })

describe('the configuration of a server [C2.1]', () => {
  test.each([
    stdio,
    { ...stdio, args: ['-v'], env: { KEY: 'x' }, cwd: '/tmp', timeout: 2.5, maxRetries: 0 },
    http,
    { ...http, headers: { Authorization: 'x' }, proxy: 'http://localhost:1', maxMessageBytes: 1 },
    { ...http, transport: 'sse', timeout: -1, maxTools: 0, maxRetries: 10 },
    { ...http, allowedTools: ['a*'], blockedTools: [], idempotentTools: ['['] },
  ])('%j is good', (config) => {
    expect(() => check(config)).not.toThrow()
  })

  test.each<[object, string]>([
    [{ ...http, transport: 'grpc' }, '"web": transport: "grpc" is not supported, only stdio, http'],
    [
      { ...http, transport: undefined },
      'mcp: server "web": transport: missing, expected stdio, http or sse',
    ],
    [{ ...http, allowedTool: ['a'] }, '"web": allowedTool: unknown, did you mean allowedTools?'],
    [{ ...http, blocked_tools: ['a'] }, 'blocked_tools: unknown, did you mean blockedTools?'],
    [{ ...http, URL: 'http://127.0.0.1:9' }, 'URL: unknown, did you mean url?'],
    [{ ...stdio, evn: {} }, 'evn: unknown, did you mean env?'],
    [{ ...stdio, sandbox: 'required' }, 'sandbox: expected an object'],
    [{ ...http, name: '' }, 'mcp: server "": name: expected a name'],
    [{ ...stdio, command: undefined }, 'mcp: server "fs": command: expected the program'],
    [{ ...stdio, command: '' }, 'command: expected the program'],
    [{ ...stdio, args: '-v' }, 'args: expected a list of texts'],
    [{ ...stdio, args: [1] }, 'args: expected a list of texts'],
    [{ ...stdio, env: { A: 1 } }, 'env: expected an object of texts'],
    [{ ...http, url: undefined }, 'mcp: server "web": url: expected an http or https URL'],
    [{ ...http, transport: 'sse', url: undefined }, 'url: expected an http or https URL'],
    [{ ...http, url: 'file:///etc/passwd' }, 'url: expected an http or https URL'],
    [{ ...http, url: 'example.com' }, 'url: expected an http or https URL'],
    [{ ...http, headers: [] }, 'headers: expected an object of texts'],
    [{ ...http, proxy: 'socks://x' }, 'proxy: expected an http or https URL'],
    [{ ...http, timeout: Number.NaN }, 'timeout: expected a number of seconds'],
    [{ ...http, timeout: '30' }, 'timeout: expected a number of seconds'],
    [{ ...http, maxRetries: -1 }, 'maxRetries: expected a whole number, at least 0'],
    [{ ...http, maxRetries: 1.5 }, 'maxRetries: expected a whole number'],
    [{ ...http, maxTools: -1 }, 'maxTools: expected a whole number, at least 0'],
    [{ ...http, maxMessageBytes: 0 }, 'maxMessageBytes: expected a whole number, at least 1'],
    [{ ...http, allowedTools: 'a*' }, 'allowedTools: expected a list of texts'],
    [{ ...http, blockedTools: [null] }, 'blockedTools: expected a list of texts'],
    [{ ...http, idempotentTools: {} }, 'idempotentTools: expected a list of texts'],
  ])('%j is refused by its field', async (config, told) => {
    const manager = createMcpManager()
    const error = await failureOf(manager.addServer(config as McpServerConfig))
    expect(error).toMatchObject({ kind: 'config', code: 'config_invalid' })
    expect(String(error)).toContain(told)
    expect(manager.serverNames()).toEqual([])
  })

  test('a field that is near none is refused without a guess, and its value is not told', () => {
    const told = /^mcp: server "web": password: unknown$/
    expect(() => check({ ...http, password: 'c4nary' })).toThrow(told)
    expect(() => check({ ...http, password: 'c4nary' }, true)).toThrow(told)
  })

  test('a field that is undefined is a field that is not there', async () => {
    const names = ['args', 'env', 'cwd', 'sandbox', 'url', 'headers', 'proxy', 'timeout']
    const more = ['maxRetries', 'allowedTools', 'blockedTools', 'maxTools', 'idempotentTools']
    const unset = [...names, ...more, 'maxMessageBytes'].map((field) => [field, undefined])
    const { clientInfo, ...options } = { ...Object.fromEntries(unset), clientInfo: undefined }
    await using manager = createMcpManager({
      ...{ toolPrefix: undefined, traceArgs: undefined, egress: undefined, clientInfo },
      ...{ questions: undefined, onEvent: undefined, onCall: undefined, clock: undefined },
    })
    const script = join(import.meta.dirname, 'test-telling-server.ts')
    const given = { ...options, ...stdio, command: process.execPath, args: [script] }
    await manager.addServer(given as McpServerConfig, {
      ...{ signal: undefined, createTransport: undefined },
      ...{ authorizer: undefined, remembered: undefined },
    })
    expect(manager.listTools().map(({ name }) => name)).toEqual(['mcp.fs.tell'])
  })

  test.each([
    [undefined, 30_000],
    [0, 30_000],
    [-5, 30_000],
    [15, 15_000],
    [0.5, 500],
  ])('a timeout of %s seconds is %i ms', (timeout, ms) => {
    expect(
      timeoutMsOf({ ...http, ...(timeout !== undefined && { timeout }) } as McpServerConfig),
    ).toBe(ms)
  })

  test.each([
    [undefined, 3],
    [0, 0],
    [7, 7],
  ])('maxRetries %s is %i', (maxRetries, count) => {
    const config = { ...http, ...(maxRetries !== undefined && { maxRetries }) } as McpServerConfig
    expect(maxRetriesOf(config)).toBe(count)
  })

  test('a process gets its arguments, environment and folder, and no secrets of ours', async () => {
    vi.stubEnv('OWN_SECRET', 'c4nary')
    await using dir = await temporaryDirectory()
    await using manager = createMcpManager()
    await manager.addServer({
      name: 'telling',
      transport: 'stdio',
      command: process.execPath,
      args: [join(import.meta.dirname, 'test-telling-server.ts'), '--flag', 'two words'],
      env: { GIVEN: 'yes' },
      cwd: dir.path,
    })
    const told = JSON.parse(await manager.callTool('mcp.telling.tell'))
    expect(told).toMatchObject({ args: ['--flag', 'two words'], cwd: dir.path })
    expect(told.env).toMatchObject({ GIVEN: 'yes' })
    expect(told.env).not.toHaveProperty('OWN_SECRET')
    vi.unstubAllEnvs()
  })

  test('filters and the limit choose the tools', async () => {
    await using manager = createMcpManager()
    const { createTransport } = createTestServer('a1', 'a2', 'a3', 'a4', 'b')
    const filters = { allowedTools: ['a*'], blockedTools: ['a1'], maxTools: 2 }
    await manager.addServer({ ...http, ...filters } as McpServerConfig, { createTransport })
    expect(manager.listTools().map((tool) => tool.originalName)).toEqual(['a2', 'a3'])
  })

  test('with a transport of its own the host need not say how the server is reached', () => {
    expect(() => check({ name: 'own', transport: 'http' }, true)).not.toThrow()
    expect(() => check({ name: 'own' }, true)).not.toThrow()
    expect(() => check({ name: 'own', transport: 'grpc' }, true)).toThrow('"grpc" is not supported')
    expect(() => check({ name: '', transport: 'http' }, true)).toThrow('name')
  })
})
