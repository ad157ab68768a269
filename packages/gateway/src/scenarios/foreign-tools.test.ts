import { noTracer, type Principal, type Tracer } from '@dataagent/hub'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { modern, openSse } from './test-clients.ts'
import { admin, startTestGateway } from './test-gateway.ts'
import { startUpstream } from './test-upstream.ts'
import { request, send, type Wire } from './test-wire.ts'

const stranger: Principal = { tenant_id: 'globex', user_id: 'max', role: 'admin' }

/** Keeps what the spans of calls carry at their end. */
function createSpans(): { tracer: Tracer; ended: Record<string, unknown>[] } {
  const ended: Record<string, unknown>[] = []
  const tracer: Tracer = {
    ...noTracer,
    start(name, options) {
      const span = noTracer.start(name, options)
      const sets: Parameters<typeof span.set>[0][] = [options?.attributes ?? {}]
      return {
        ...{ trace_id: span.trace_id, span_id: span.span_id, context: span.context },
        event: span.event,
        set: (attributes) => void sets.push(attributes),
        end(end) {
          const all = sets.map((one) => (typeof one === 'function' ? one() : one))
          ended.push(Object.assign({ error: end?.error?.type }, ...all))
        },
      }
    },
  }
  return { tracer, ended }
}

/** What the one who asked sees of it, without the name that was asked for. */
function toWords({ status, headers, text }: Wire, name: string) {
  const { date, 'content-length': length, ...rest } = Object.fromEntries(headers)
  return { status, headers: rest, body: text().replaceAll(name, 'NAME') }
}

async function setUp() {
  const { tracer, ended } = createSpans()
  const upstream = await startUpstream()
  const { workers, connect } = await startTestGateway({ tracer })
  const [{ url, hub, gateway }] = workers
  const server_id = await connect({ name: 'mall', url: upstream.url })
  const config = { name: 'theirs', url: upstream.url }
  const theirs = await hub.servers.register(stranger, { scope: 'tenant', config })
  await waitFor(() => hub.catalogue.ofServer('globex', theirs.server_id).length > 0)
  const group = (group_id: string, tool: string) =>
    gateway.groups.create(admin, { group_id, name: group_id, tools: [{ server_id, tool }] })
  const { key } = await group('one', 'say')
  const other = await group('other', 'think')
  const foreign = hub.catalogue.ofServer('globex', theirs.server_id)
  return {
    url,
    hub,
    upstream,
    ended,
    key,
    other,
    foreign: foreign.map(({ wire_name }) => wire_name),
  }
}

test('a tool that is not the group’s answers as one that does not exist [A2.2][A2.3] [T31]', async () => {
  const { url, hub, upstream, ended, key: token, other, foreign } = await setUp()
  const made = 'made_up'
  const names = [
    ...['wait', 'mall.wait', 'mcp.mall.wait', 'mall--wait', 'think', 'mall.think', 'echo'],
    ...['theirs.wait', 'theirs--wait', 'mcp.theirs.wait', ...foreign],
  ]
  const body = (name: string) => request(1, 'tools/call', { name, arguments: {} })
  const sse = await openSse(url, token)
  const ways = {
    'Streamable HTTP': (name: string) => send(`${url}/mcp`, { token, body: body(name) }),
    '2026-07-28': (name: string) =>
      send(`${url}/mcp`, { token, ...modern('tools/call', { name, arguments: {} }) }),
    'the group’s address': (name: string) => send(`${url}/mcp/g/one`, { token, body: body(name) }),
    'JSON-RPC': (name: string) => send(`${url}/api/v1/mcp/jsonrpc`, { token, body: body(name) }),
    async SSE(name: string) {
      const answered = sse.stream.messages.length
      const posted = await sse.post(url, body(name))
      const said = await waitFor(() => sse.stream.messages[answered])
      return { ...posted, messages: [said], text: () => JSON.stringify(said) }
    },
  }
  const before = ended.length
  for (const [way, call] of Object.entries(ways)) {
    const ask = async (name: string) => {
      const wire = await call(name)
      await wire.ended
      expect(wire.messages[0]?.error).toMatchObject({
        ...{ code: -32602, message: `Unknown tool: ${name}` },
        data: { error_code: 'tool_not_allowed' },
      })
      return { way, ...toWords(wire, name) }
    }
    const expected = await ask(made)
    for (const name of names) expect(await ask(name)).toEqual(expected)
  }

  const count = Object.keys(ways).length * (names.length + 1)
  await hub.audit.flush()
  const rows = await hub.audit.query(admin, { status: 'denied', limit: 1_000, offset: 0 })
  expect(rows).toHaveLength(count)
  for (const { error, attempts, source } of rows) {
    expect({ attempts, source }).toEqual({ attempts: 0, source: 'gateway' })
    expect(JSON.stringify(error)).toContain('tool_not_allowed')
  }
  const spans = ended.slice(before).filter((span) => span['dataagent.status'] === 'denied')
  expect(spans).toHaveLength(count)
  expect(new Set(spans.map((span) => span['error.type']))).toEqual(new Set(['tool_not_allowed']))
  expect(upstream.waits.running).toBe(0)

  const called = request(1, 'tools/call', { name: 'say', arguments: { text: 'hi' } })
  const mine = await send(`${url}/mcp`, { token, body: called })
  expect((await mine.until(({ id }) => id === 1)).result.content).toHaveLength(1)
  const list = await send(`${url}/mcp`, { token: other.key, body: request(1, 'tools/list') })
  const { result } = await list.until(({ id }) => id === 1)
  expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(['think'])
})
