import { callingTestFile, createConsent, reportSkip } from '@dataagent/testkit'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  UnauthorizedError as ModernUnauthorized,
} from '@modelcontextprotocol/client'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { nineTools, startClinicGateway } from './test-clinic.ts'
import { createMovingClock } from './test-moving-clock.ts'
import { createProvider } from './test-oauth-provider.ts'
import { connectThroughRemote, inspect } from './test-outsiders.ts'

const info = { name: 'outsider', version: '1.0.0' }

describe('the Inspector', async () => {
  const testFile = callingTestFile()
  const { code, stderr } = await inspect('--version')
  if (code !== 0) reportSkip(testFile, `the Inspector does not start: ${stderr.slice(0, 300)}`)

  test.skipIf(code !== 0).each([
    ['http', '/mcp', 'legacy'],
    ['http', '/mcp', 'auto'],
    ['http', '/mcp', 'modern'],
    ['http', '/mcp/g/all', 'modern'],
    ['sse', '/mcp/v1/sse', 'legacy'],
    ['sse', '/api/v1/mcp/jsonrpc', 'legacy'],
  ])(
    'lists and calls over %s at %s, %s [E1.1][E1.2]',
    async (transport, path, era) => {
      const { url, key, customer_id } = await startClinicGateway()
      const ask = async (...args: string[]) => {
        const ran = await inspect(
          ...['--server-url', url + path, '--transport', transport, '--protocol-era', era],
          ...['--header', `Authorization: Bearer ${key}`, '--stored-auth-only'],
          ...['--format', 'json', '--quiet', ...args],
        )
        expect(ran).toMatchObject({ code: 0 })
        return JSON.parse(ran.stdout)
      }
      const list = await ask('--method', 'tools/list')
      const { tools = list.tools } = list.result ?? {}
      expect(tools.map(({ name }: { name: string }) => name).sort()).toEqual(nineTools)
      const called = await ask(
        ...['--method', 'tools/call', '--tool-name', 'get_user_profile'],
        ...['--tool-args-json', JSON.stringify({ user_id: customer_id })],
      )
      const { structuredContent } = called.result ?? called
      expect(structuredContent).toMatchObject({ user_id: customer_id })
    },
    90_000,
  )
})

describe('mcp-remote', () => {
  test.each([
    ['/mcp', ['--transport', 'http-only']],
    ['/mcp', ['--transport', 'http-only', '--protocol', 'auto']],
    ['/mcp/v1/sse', ['--transport', 'sse-only']],
  ])(
    'passes tools on from %s with %j [E1.1][E1.2]',
    async (path, options) => {
      const { url, key, customer_id } = await startClinicGateway()
      const header = ['--header', `Authorization: Bearer ${key}`]
      const client = await connectThroughRemote([url + path, ...header, ...options])
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name).sort()).toEqual(nineTools)
      const result = await client.callTool({
        name: 'get_user_profile',
        arguments: { user_id: customer_id },
      })
      expect(result.structuredContent).toMatchObject({ user_id: customer_id })
    },
    60_000,
  )

  test('signs in by itself, with a person at the page [E2.1][E2.2][E2.3]', async () => {
    const { url, key } = await startClinicGateway()
    const authorize = createConsent({ key })
    const client = await connectThroughRemote([`${url}/mcp`, '--transport', 'http-only'], {
      authorize,
    })
    expect((await client.listTools()).tools).toHaveLength(9)
  }, 60_000)
})

test.each([
  ['http', '/mcp'],
  ['sse', '/mcp/v1/sse'],
] as const)(
  'the adapters of LangChain use the tools over %s [E1.1][E1.2]',
  async (transport, path) => {
    const { url, key, customer_id } = await startClinicGateway()
    const headers = { Authorization: `Bearer ${key}` }
    const adapters = new MultiServerMCPClient({
      mcpServers: { clinic: { transport, url: url + path, headers } },
    })
    onTestFinished(() => adapters.close())
    const tools = await adapters.getTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(nineTools)
    const profile = tools.find(({ name }) => name === 'get_user_profile')
    expect(JSON.stringify(await profile?.invoke({ user_id: customer_id }))).toContain(customer_id)
  },
)

describe('the SDK with its own OAuth', () => {
  const settings = { session_ttl_seconds: 60 }
  const lines = {
    'v1 over Streamable HTTP': {
      path: '/mcp',
      connect: (url: URL, authProvider: ReturnType<typeof createProvider>) =>
        connectFirst(() => new StreamableHTTPClientTransport(url, { authProvider }), authProvider),
    },
    'v1 over SSE': {
      path: '/mcp/v1/sse',
      connect: (url: URL, authProvider: ReturnType<typeof createProvider>) =>
        connectFirst(() => new SSEClientTransport(url, { authProvider }), authProvider),
    },
    'v1 at the JSON-RPC endpoint': {
      path: '/api/v1/mcp/jsonrpc',
      connect: (url: URL, authProvider: ReturnType<typeof createProvider>) =>
        connectFirst(() => new SSEClientTransport(url, { authProvider }), authProvider),
    },
    'v2, legacy': { path: '/mcp', connect: connectSecond('legacy') },
    'v2, modern': { path: '/mcp', connect: connectSecond('auto') },
    'v2 at the address of a group': { path: '/mcp/g/all', connect: connectSecond('auto') },
  }

  test.each(Object.entries(lines))(
    '%s: 401, consent, call, and a refresh when the token has expired [E2.1][E2.3][E2.4]',
    async (_name, { path, connect }) => {
      const clock = createMovingClock()
      const { url, key, customer_id } = await startClinicGateway({ clock, settings })
      const provider = createProvider(createConsent({ key }))
      const first = await connect(new URL(url + path), provider)
      const call = async ({ callTool }: Connected) =>
        (await callTool({ name: 'get_user_profile', arguments: { user_id: customer_id } }))
          .structuredContent
      expect(provider.asked).toBe(1)
      expect(await call(first)).toMatchObject({ user_id: customer_id })
      const before = await provider.tokens()
      clock.advance(61_000)
      // Over SSE an expired token is told on the stream: a new connection gets another.
      const isSse = !/^\/mcp($|\/g\/)/.test(path)
      const second = isSse ? await connect(new URL(url + path), provider) : first
      expect(await call(second)).toMatchObject({ user_id: customer_id })
      expect((await provider.tokens())?.access_token).not.toBe(before?.access_token)
      expect(provider.asked).toBe(1)
    },
  )
})

type Provider = ReturnType<typeof createProvider>
interface Connected {
  callTool(params: { name: string; arguments: object }): Promise<{ structuredContent?: unknown }>
}

async function connectFirst(
  open: () => StreamableHTTPClientTransport | SSEClientTransport,
  provider: Provider,
): Promise<Connected> {
  const connect = async () => {
    const client = new Client(info)
    onTestFinished(() => client.close())
    const transport = open()
    try {
      await client.connect(transport as never)
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
      await transport.finishAuth(String(provider.callback.get('code')))
      return undefined
    }
    return client
  }
  const client = (await connect()) ?? (await connect())
  return { callTool: (params) => client!.callTool(params as never) as never }
}

function connectSecond(mode: 'legacy' | 'auto') {
  return async (url: URL, authProvider: Provider): Promise<Connected> => {
    const connect = async () => {
      const client = new ModernClient(info, { versionNegotiation: { mode } })
      onTestFinished(() => client.close())
      const transport = new ModernTransport(url, { authProvider: authProvider as never })
      try {
        await client.connect(transport)
      } catch (error) {
        if (!(error instanceof ModernUnauthorized)) throw error
        await transport.finishAuth(authProvider.callback)
        return undefined
      }
      return client
    }
    const client = (await connect()) ?? (await connect())
    return { callTool: (params) => client!.callTool(params as never) as never }
  }
}
