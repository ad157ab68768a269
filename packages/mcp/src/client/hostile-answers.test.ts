import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMcpError } from '../errors.ts'
import { createInProcessTransport } from '../transports/in-process.ts'
import type { Era } from '../transports/transport.ts'
import { createMcpClient } from './client.ts'
import type { McpClient, ServerQuestions } from './contract.ts'
import { serverInfo } from './test-server.ts'

const timeout = longCount(30_000, 1_800_000)

const hello = {
  legacy: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo },
  modern: { supportedVersions: ['2026-07-28'], capabilities: {} },
}

const questions: ServerQuestions = {
  elicit: async () => ({ action: 'accept' }),
  sample: async () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: '' } }),
  listRoots: async () => [],
}

const requests: ((client: McpClient) => Promise<unknown>)[] = [
  (it) => it.listTools(),
  (it) => it.callTool('x', { a: 1 }),
  (it) => it.listResources(),
  (it) => it.listResourceTemplates(),
  (it) => it.readResource('a:b'),
  (it) => it.listPrompts(),
  (it) => it.getPrompt('p'),
  (it) => it.complete({ ref: { type: 'ref/prompt', name: '' }, argument: { name: '', value: '' } }),
  (it) => it.ping(),
  (it) => it.request('anything'),
]

const keys = fc.constantFrom(
  ...['resultType', 'inputRequests', 'requestState', 'tools', 'content', 'nextCursor'],
  ...['method', 'params', 'name', 'inputSchema', 'properties', 'x-mcp-header', 'completion'],
  ...['values', 'contents', 'messages', '_meta', 'uri', 'constructor', 'toString'],
)
const leaf = fc.oneof(
  fc.constantFrom('input_required', 'complete', 'elicitation/create', '', 'a', null, 0, true),
  fc.string(),
)
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 5 }),
  ),
}))

async function connect(era: Era, answer: () => unknown) {
  let isOpen = false
  let send: ((message: never) => void) | undefined
  const transport = createInProcessTransport((message, context) => {
    send = context.send as never
    if (!('id' in message)) return undefined
    return { jsonrpc: '2.0', id: message.id, result: isOpen ? answer() : hello[era] }
  })
  const onNotice = () => undefined
  const client = createMcpClient({ transport: { ...transport, kind: 'http' }, questions, onNotice })
  await client.connect({ era })
  isOpen = true
  return { client, send: (message: unknown) => send?.(message as never) }
}

test.each(['legacy', 'modern'] as const)(
  'whatever a %s server answers, a request gives a result or one of our errors',
  { timeout },
  async (era) => {
    const answers: unknown[] = []
    const { client } = await connect(era, () => answers.shift() ?? {})
    const asked = fc.asyncProperty(
      fc.constantFrom(...requests),
      fc.array(anything, { minLength: 1, maxLength: 3 }),
      async (request, given) => {
        answers.splice(0, answers.length, ...given)
        const outcome = await request(client).catch((error: unknown) => error)
        if (outcome instanceof Error) expect(isMcpError(outcome)).toBe(true)
      },
    )
    await fc.assert(asked, { numRuns: longCount(1_000, 50_000) })
    await client.close()
  },
)

const methods = fc.constantFrom(
  ...['progress', 'cancelled', 'message', 'tools/list_changed', 'resources/updated'].map(
    (name) => `notifications/${name}`,
  ),
  ...['notifications/subscriptions/acknowledged', 'notifications/elicitation/complete'],
  ...['elicitation/create', 'sampling/createMessage', 'roots/list', 'ping', '__proto__'],
)

test.each(['legacy', 'modern'] as const)(
  'whatever a %s server says of its own accord, the client goes on',
  { timeout },
  async (era) => {
    const { client, send } = await connect(era, () => ({ content: [] }))
    const said = fc.asyncProperty(
      methods,
      fc.dictionary(keys, anything),
      fc.option(fc.oneof(fc.string(), fc.integer()), { nil: undefined }),
      async (method, params, id) => {
        send({ jsonrpc: '2.0', method, params, ...(id !== undefined && { id }) })
        expect(await client.callTool('x')).toEqual({ content: [] })
      },
    )
    await fc.assert(said, { numRuns: longCount(1_000, 50_000) })
    expect(Object.hasOwn(Object.prototype, 'method')).toBe(false)
    await client.close()
  },
)
