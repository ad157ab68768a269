import { createFakeClock, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createMcpClient } from './client.ts'
import type { McpClientOptions } from './contract.ts'
import { createTestServer, type Method } from './test-server.ts'

const form = {
  message: "Transfer Alice's money?",
  requestedSchema: { type: 'object', properties: {} },
}
const offers = { elicitation: { form: {} }, sampling: {}, roots: {} }
const keptMs = 10 * 60_000

const silent: Method = () => new Promise(() => {})

/** A server that answers neither calls nor lists, and does not say what its questions are for. */
async function connect({
  onCall = silent,
  ...options
}: Partial<McpClientOptions> & { onCall?: Method } = {}) {
  const clock = createFakeClock()
  const warnings: string[] = []
  const methods = { 'tools/call': onCall, 'tools/list': silent }
  const server = createTestServer({ methods })
  const client = createMcpClient({
    ...{ transport: server.transport, offers, clock, ...options },
    onWarning: (text) => warnings.push(text),
  })
  await client.initialize()
  let asked = 0
  const ask = async () => {
    asked += 1
    const id = `q${asked}`
    server.send({ id, method: 'elicitation/create', params: form })
    const answer = await waitFor(() =>
      server.received.find((it) => !('method' in it) && it.id === id),
    )
    return 'result' in answer ? answer.result : answer
  }
  /** A call that is asked and told, and that goes on until the client is closed. */
  const begin = (name: string, { timeoutMs = 10 * keptMs, caller = '' } = {}) => {
    const seen: string[] = []
    const controller = new AbortController()
    const ended = client
      .callTool(
        name,
        {},
        {
          ...{ signal: controller.signal, timeoutMs, ...(caller && { caller }) },
          onNotice: (notice) => void seen.push(notice.kind),
          questions: {
            async elicit() {
              seen.push('form')
              return { action: 'accept', content: {} }
            },
          },
        },
      )
      .catch(({ kind }: { kind: string }) => kind)
    return { seen, ended, stop: () => controller.abort() }
  }
  return { clock, client, server, warnings, ask, begin }
}

const ends = {
  cancelled: ({ stop }: { stop(): void }) => stop(),
  timeout: (_: unknown, clock: { advance(ms: number): void }) => clock.advance(1_000),
}

test.each(Object.entries(ends))(
  'what may be for a call that ended by %s is asked of and told to no other',
  async (kind, end) => {
    const { clock, client, server, warnings, ask, begin } = await connect()
    const alice = begin('pay', { timeoutMs: 1_000 })
    await waitFor(() => server.methods().includes('tools/call'))
    end(alice, clock)
    expect(await alice.ended).toBe(kind)
    const bob = begin('pay')
    server.send({ method: 'notifications/message', params: { level: 'error', data: 'of Alice' } })
    expect(await ask()).toEqual({ action: 'cancel' })
    expect([alice.seen, bob.seen]).toEqual([[], []])
    expect(warnings).toEqual([
      '"elicitation/create" was shown to nobody: it is not known for which call it is',
    ])
    await client.close()
    await bob.ended
  },
)

test.each(Object.entries(ends))(
  'a call that ended by %s counts until the server answers it',
  async (_, end) => {
    const answer = Promise.withResolvers<object>()
    const onCall: Method = ({ name }) => (name === 'pay' ? answer.promise : new Promise(() => {}))
    const { clock, client, server, ask, begin } = await connect({ onCall })
    const alice = begin('pay', { timeoutMs: 1_000, caller: 'alice' })
    await waitFor(() => server.methods().includes('tools/call'))
    end(alice, clock)
    await alice.ended
    const bob = begin('save', { caller: 'bob' })
    expect(await ask()).toEqual({ action: 'cancel' })
    answer.resolve({ content: [] })
    await client.ping()
    expect(await ask()).toMatchObject({ action: 'accept' })
    server.send({ method: 'notifications/message', params: { level: 'error', data: 'of Bob' } })
    expect([alice.seen, bob.seen]).toEqual([[], ['form', 'log']])
    await client.close()
    await bob.ended
  },
)

test('a call that is answered while it is given up does not count', async () => {
  const onCall: Method = ({ name }, { signal }) =>
    new Promise((resolve) => {
      if (name === 'pay') signal.addEventListener('abort', () => resolve({ content: [] }))
    })
  const { client, ask, begin } = await connect({ onCall })
  const alice = begin('pay')
  alice.stop()
  expect(await alice.ended).toBe('cancelled')
  const bob = begin('save')
  expect(await ask()).toMatchObject({ action: 'accept' })
  expect(bob.seen).toEqual(['form'])
  await client.close()
})

test('nor are handlers of the client asked in place of those that the call had brought', async () => {
  const asked: unknown[] = []
  const elicit = async (params: unknown) => {
    asked.push(params)
    return { action: 'accept' as const, content: {} }
  }
  const { client, ask, begin } = await connect({ questions: { elicit } })
  const alice = begin('pay')
  alice.stop()
  await alice.ended
  expect([await ask(), asked]).toEqual([{ action: 'cancel' }, []])
  await client.close()
})

test('nobody is asked for what may be of a call that somebody else gave up', async () => {
  const { client, ask, begin } = await connect()
  const given = begin('pay', { caller: 'alice' })
  given.stop()
  await given.ended
  const bob = begin('pay', { caller: 'bob' })
  expect(await ask()).toEqual({ action: 'cancel' })
  bob.stop()
  await bob.ended
  const alice = begin('pay', { caller: 'alice' })
  // By now one of Bob's may be meant, too.
  expect(await ask()).toEqual({ action: 'cancel' })
  expect([bob.seen, alice.seen]).toEqual([[], []])
  await client.close()
  await alice.ended
})

test('who alone has given calls up is asked', async () => {
  const { client, ask, begin } = await connect()
  const given = begin('pay', { caller: 'alice' })
  given.stop()
  await given.ended
  const next = begin('pay', { caller: 'alice' })
  expect(await ask()).toMatchObject({ action: 'accept' })
  expect(next.seen).toEqual(['form'])
  await client.close()
  await next.ended
})

test('a list that was given up asks nothing: the only call is asked', async () => {
  const { clock, client, ask, begin } = await connect()
  const listed = client.listTools({ timeoutMs: 1_000 }).catch(({ kind }) => kind)
  clock.advance(1_000)
  expect(await listed).toBe('timeout')
  const bob = begin('pay')
  expect(await ask()).toMatchObject({ action: 'accept' })
  expect(bob.seen).toEqual(['form'])
  await client.close()
})

test.each([1, 1_500])('after ten minutes of silence %i calls count as stopped', async (count) => {
  const { clock, client, ask, begin } = await connect()
  const given = Array.from({ length: count }, () => begin('pay'))
  for (const { stop } of given) stop()
  await Promise.all(given.map(({ ended }) => ended))
  const bob = begin('pay')
  clock.advance(keptMs - 1)
  expect(await ask()).toEqual({ action: 'cancel' })
  clock.advance(1)
  expect(await ask()).toMatchObject({ action: 'accept' })
  expect(bob.seen).toEqual(['form'])
  await client.close()
})
