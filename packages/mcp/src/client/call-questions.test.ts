import { createFakeClock, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createMcpClient } from './client.ts'
import type { McpClientOptions, QuestionContext, ServerQuestions } from './contract.ts'
import { createTestServer, type Method, modernMethods, never } from './test-server.ts'

const form = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }
const offers = { elicitation: { form: {} }, sampling: { tools: {}, context: {} }, roots: {} }
const yes: ServerQuestions = { elicit: async () => ({ action: 'accept', content: {} }) }

function connect(methods: Record<string, Method>, options: Partial<McpClientOptions> = {}) {
  const server = createTestServer({ methods })
  const client = createMcpClient({ transport: server.transport, offers, ...options })
  const answerTo = (id: string) =>
    waitFor(() => server.received.find((it) => !('method' in it) && it.id === id))
  const idOf = (name: string) =>
    waitFor(() => {
      const found = server.received.find((it) => 'params' in it && it.params?.name === name)
      return found && 'id' in found ? (found.id as number) : undefined
    })
  return { server, client, answerTo, idOf }
}

test('what is offered for the sake of calls is told as it is', async () => {
  const { server, client } = connect({})
  await client.initialize()
  expect(server.received[0]).toMatchObject({ params: { capabilities: offers } })
})

test('a question on the stream of a call stops the time of that call alone', async () => {
  const clock = createFakeClock()
  const { server, client, answerTo, idOf } = connect({ 'tools/call': never }, { clock })
  await client.initialize()
  const answer = Promise.withResolvers<{ action: 'accept' }>()
  const questions = { elicit: () => answer.promise }
  const asked = client.callTool('asked', {}, { questions, timeoutMs: 1_000 })
  const other = client.callTool('other', {}, { questions, timeoutMs: 1_000 })
  const ends = Promise.allSettled([asked, other])
  const begun: string[] = []
  asked.catch(() => begun.push('asked'))
  other.catch(() => begun.push('other'))
  server.sendOn(await idOf('asked'), { id: 'q', method: 'elicitation/create', params: form })
  await idOf('other')
  clock.advance(5_000)
  await waitFor(() => begun.length > 0)
  expect(begun).toEqual(['other'])
  answer.resolve({ action: 'accept' })
  expect(await answerTo('q')).toMatchObject({ result: { action: 'accept' } })
  clock.advance(1_000)
  expect((await ends).map((it) => it.status === 'rejected' && it.reason.kind)).toEqual([
    'timeout',
    'timeout',
  ])
})

test('a question on the stream of a call that has ended reaches no other call', async () => {
  const { server, client, answerTo, idOf } = connect({ 'tools/call': never })
  await client.initialize()
  const stop = new AbortController()
  const gone = client.callTool('gone', {}, { questions: yes, signal: stop.signal })
  const id = await idOf('gone')
  stop.abort()
  await expect(gone).rejects.toMatchObject({ kind: 'cancelled' })
  const other = client.callTool('other', {}, { questions: yes }).catch(() => undefined)
  await idOf('other')
  server.sendOn(id, { id: 'q', method: 'elicitation/create', params: form })
  expect(await answerTo('q')).toMatchObject({ result: { action: 'cancel' } })
  await client.close()
  await other
})

test('several questions of one input_required are asked at once, each with its key', async () => {
  const question = { method: 'elicitation/create', params: form }
  const results = [
    { resultType: 'input_required', inputRequests: { a: question, b: question } },
    { resultType: 'complete', content: [] },
  ]
  const { server, client } = connect({ ...modernMethods(), 'tools/call': () => results.shift() })
  await client.connect()
  const open: QuestionContext[] = []
  const both = Promise.withResolvers<void>()
  const elicit: ServerQuestions['elicit'] = async (_, context) => {
    open.push(context)
    if (open.length === 2) both.resolve()
    await both.promise
    return { action: 'accept', content: { of: `${context.key}` } }
  }
  await client.callTool('x', {}, { questions: { elicit } })
  expect(open.map(({ key }) => key)).toEqual(['a', 'b'])
  const accepted = (of: string) => ({ action: 'accept', content: { of } })
  expect(server.received.at(-1)).toMatchObject({
    params: { inputResponses: { a: accepted('a'), b: accepted('b') } },
  })
})

test('without a handshake a call offers what it and the client answer, and nothing else', async () => {
  const methods = { ...modernMethods(), 'tools/call': () => ({ content: [] }) }
  const { server, client } = connect(methods, { questions: { listRoots: async () => [] } })
  await client.connect()
  const offered = () => {
    const last = server.received.at(-1)
    const meta = last && 'params' in last ? last.params?._meta : undefined
    return (meta as Record<string, unknown>)['io.modelcontextprotocol/clientCapabilities']
  }
  await client.callTool('x')
  expect(offered()).toEqual(offers)
  await client.callTool('x', {}, { questions: yes })
  expect(offered()).toEqual({ elicitation: { form: {} }, roots: {} })
  await client.callTool('x', {}, { questions: {} })
  expect(offered()).toEqual({ roots: {} })
})

test('notices on the stream of a call are told to it alone, and to the client as ever', async () => {
  const notices: unknown[] = []
  const onNotice = (notice: unknown) => void notices.push(notice)
  const { server, client, idOf } = connect({ 'tools/call': never }, { onNotice })
  await client.initialize()
  const told = { own: [] as unknown[], other: [] as unknown[] }
  const calls = (['own', 'other'] as const).map((name) =>
    client.callTool(name, {}, { onNotice: (notice) => void told[name].push(notice) }),
  )
  const ends = Promise.allSettled(calls)
  const id = await idOf('own')
  await idOf('other')
  const done = { elicitationId: 'e1' }
  server.sendOn(id, { method: 'notifications/elicitation/complete', params: done })
  server.sendOn(id, { method: 'notifications/tools/list_changed' })
  server.send({ method: 'notifications/message', params: { level: 'info', data: 'whose?' } })
  await waitFor(() => notices.length === 3)
  expect(told).toEqual({ own: [{ kind: 'elicitation_complete', ...done }], other: [] })
  await client.close()
  await ends
})
