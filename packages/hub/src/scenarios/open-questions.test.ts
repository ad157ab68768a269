import { createInProcessTransport, type HandlerContext, type JsonRpcMessage } from '@dataagent/mcp'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { everything, startTestHub, toContext } from './test-hub.ts'

const form = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }

/** `ask` asks a person and gives the answer back; `say` answers at once. */
function createAsking() {
  const open = new Map<unknown, (answer: unknown) => void>()
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'asking', version: '1' },
    },
    'tools/list': {
      tools: ['ask', 'say'].map((name) => ({ name, inputSchema: { type: 'object' } })),
    },
  }
  return async (message: JsonRpcMessage, { send }: HandlerContext): Promise<unknown> => {
    if (!('method' in message)) return open.get(message.id)?.(message)
    if (!('id' in message)) return undefined
    const { id, method, params } = message
    if (method !== 'tools/call') return { jsonrpc: '2.0', id, result: results[method] ?? {} }
    const said = Promise.withResolvers<unknown>()
    if (params?.name === 'ask') {
      open.set(`q${id}`, said.resolve)
      send({ jsonrpc: '2.0', id: `q${id}`, method: 'elicitation/create', params: form })
    } else said.resolve('said')
    const content = [{ type: 'text', text: JSON.stringify(await said.promise) }]
    return { jsonrpc: '2.0', id, result: { content } }
  }
}

function setUp(settings: object) {
  return startTestHub({
    passesQuestions: true,
    settings: { defaultAllow: everything, ...settings },
    createTransport: () => createInProcessTransport(createAsking()),
  })
}

const accepts = { action: 'accept' as const, content: {} }

test('while servers ask people, other calls of the tenant and the server run', async () => {
  const narrow = { runningCalls: 1, upstreams: { callsPerServer: 1 } }
  await using rig = await setUp(narrow)
  for (const name of ['a', 'b']) await rig.connect({ name, command: 'unused' })
  const answers: (() => void)[] = []
  const elicit = () => new Promise<typeof accepts>((go) => answers.push(() => go(accepts)))
  const ask = (tool: string) =>
    rig.hub.callTool(toContext({}, { questions: { elicit }, session_id: tool }), { tool })
  const asked = [ask('a.ask'), ask('b.ask')]
  await waitFor(() => answers.length === 2)
  const said = await rig.hub.callTool(toContext({ user_id: 'bob' }), { tool: 'a.say' })
  expect(said).toMatchObject({ status: 'ok' })
  for (const answer of answers) answer()
  for (const outcome of await Promise.all(asked)) expect(outcome).toMatchObject({ status: 'ok' })
  expect(await ask('a.say')).toMatchObject({ status: 'ok' })
})

test('so many questions are open at once; one more is dismissed', async () => {
  await using rig = await setUp({ questions: { perServer: 1, perTenant: 2 } })
  for (const name of ['a', 'b', 'c']) await rig.connect({ name, command: 'unused' })
  const answers: (() => void)[] = []
  const elicit = () => new Promise<typeof accepts>((go) => answers.push(() => go(accepts)))
  const ask = (tool: string, user_id = 'ada') =>
    rig.hub.callTool(toContext({ user_id }, { questions: { elicit }, asker: tool }), { tool })
  const dismissed = { result: { text: expect.stringContaining('"action":"cancel"') } }
  const first = ask('a.ask')
  await waitFor(() => answers.length === 1)
  const second = ask('b.ask')
  await waitFor(() => answers.length === 2)
  expect(await ask('c.ask')).toMatchObject(dismissed)
  for (const answer of answers.splice(0)) answer()
  await Promise.all([first, second])
  const third = ask('c.ask')
  await waitFor(() => answers.length === 1)
  answers[0]?.()
  expect(await third).toMatchObject({ result: { text: expect.stringContaining('accept') } })
})
