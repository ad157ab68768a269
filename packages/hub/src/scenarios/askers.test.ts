import { createInProcessTransport, type HandlerContext, type JsonRpcMessage } from '@dataagent/mcp'
import { waitFor } from '@dataagent/testkit'
import { afterAll, expect, test } from 'vitest'
import type { CallContext } from '../call-context.ts'
import { everything, startTestHub, toContext } from './test-hub.ts'

let begun = 0

/** Goes on in silence with what was given up; `ask` says how it was answered. */
function createBank() {
  const questions = new Map<unknown, (given: unknown) => void>()
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'bank', version: '1' },
    },
    'tools/list': {
      tools: ['hang', 'ask'].map((name) => ({ name, inputSchema: { type: 'object' } })),
    },
  }
  const form = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }

  return async (message: JsonRpcMessage, { send }: HandlerContext): Promise<unknown> => {
    if (!('method' in message)) return questions.get(message.id)?.(message)
    if (!('id' in message)) return undefined
    const { id, method, params } = message
    if (method !== 'tools/call') return { jsonrpc: '2.0', id, result: results[method] ?? {} }
    begun += 1
    const answered = Promise.withResolvers<unknown>()
    if (params?.name === 'ask') {
      questions.set(`q${id}`, answered.resolve)
      send({ jsonrpc: '2.0', id: `q${id}`, method: 'elicitation/create', params: form })
    }
    const content = [{ type: 'text', text: JSON.stringify(await answered.promise) }]
    return { jsonrpc: '2.0', id, result: { content } }
  }
}

const rig = await startTestHub({
  passesQuestions: true,
  settings: { defaultAllow: everything },
  createTransport: () => createInProcessTransport(createBank()),
})
afterAll(() => rig[Symbol.asyncDispose]())

const nobody = { user_id: null }
const ada = { user_id: 'ada' }
const elicit = async () => ({ action: 'accept' as const, content: {} })
const from = (principal: object, more: Partial<CallContext> = {}) =>
  toContext(principal, { ...more, questions: { elicit } })

const cases: [string, CallContext, CallContext, 'accept' | 'cancel'][] = [
  [
    'of the same session is asked',
    from(ada, { session_id: 's' }),
    from(ada, { session_id: 's' }),
    'accept',
  ],
  [
    'of another session is not',
    from(ada, { session_id: 's' }),
    from(ada, { session_id: 'z' }),
    'cancel',
  ],
  [
    'of another client is not',
    from(ada, { asker: 'desk' }),
    from(ada, { asker: 'phone' }),
    'cancel',
  ],
  ['of the user, where no more is known, is asked', from(ada), from(ada), 'accept'],
  ['of another user is not', from(ada), from({ user_id: 'bob' }), 'cancel'],
  [
    'of a client without a user is asked',
    from(nobody, { asker: 'k' }),
    from(nobody, { asker: 'k' }),
    'accept',
  ],
  ['of nobody known is not', from(nobody), from(nobody), 'cancel'],
]

test.each(cases)(
  'after a call was given up, the next %s [E6.1]',
  async (name, first, next, action) => {
    const config = { name: `bank${cases.findIndex(([title]) => title === name)}` }
    await rig.connect({ ...config, command: 'unused' })
    const leaving = new AbortController()
    const before = begun
    const left = rig.hub.callTool(
      { ...first, signal: leaving.signal },
      { tool: `${config.name}.hang` },
    )
    await waitFor(() => begun > before)
    leaving.abort()
    expect(await left).toMatchObject({ status: 'cancelled' })
    const told = await rig.hub.callTool(next, { tool: `${config.name}.ask` })
    expect(told).toMatchObject({
      result: { text: expect.stringContaining(`"action":"${action}"`) },
    })
  },
)
