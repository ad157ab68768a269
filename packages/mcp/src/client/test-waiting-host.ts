import { isMcpError } from '../errors.ts'
import { createInProcessTransport } from '../transports/in-process.ts'
import type { Transport } from '../transports/transport.ts'
import { createMcpClient } from './client.ts'
import type { McpClient } from './contract.ts'
import { openClient } from './open-client.ts'
import { createTestServer, modernMethods } from './test-server.ts'

/**
 * A program with nothing to do but to wait for what never comes; says what the wait ended with.
 * Nothing here holds the process: neither a socket nor a timer.
 */
const forever = () => new Promise<never>(() => undefined)
const timeoutMs = 300
const silent = createInProcessTransport(forever)
const stuck: Transport = { ...silent, start: (_, options) => untilTold(options) }

const waits: Record<string, () => Promise<unknown>> = {
  call: async () => (await connected()).callTool('slow'),
  list: async () => (await connected()).listTools(),
  question: async () => (await connected(asking)).callTool('slow', {}, { timeoutMs: 200 }),
  notify: async () => (await connected()).notify('notifications/slow'),
  subscribe: async () => (await connected(modernMethods())).subscribeResource('a:b'),
  connect: () => createMcpClient({ transport: silent, timeoutMs }).connect(),
  start: () => createMcpClient({ transport: stuck, timeoutMs }).connect(),
  open: () => openClient({ createTransport: () => stuck, timeoutMs }),
}

/** Needs input again and again without asking for anything. */
const asking = {
  ...modernMethods(),
  'tools/call': () => ({ resultType: 'input_required', requestState: 'again' }),
}

async function connected(methods = {}): Promise<McpClient> {
  const slow = { 'tools/call': forever, 'tools/list': forever, 'subscriptions/listen': forever }
  const { transport } = createTestServer({ methods: { ...slow, ...methods } })
  const send: Transport['send'] = async (message, options) => {
    if ('method' in message && message.method === 'notifications/slow') await untilTold(options)
    else await transport.send(message, options)
  }
  const client = createMcpClient({ transport: { ...transport, send }, timeoutMs })
  await client.connect()
  return client
}

function untilTold({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', reject, { once: true }))
}

const [what = ''] = process.argv.slice(2)
try {
  await waits[what]?.()
} catch (error) {
  console.log(isMcpError(error) ? error.kind : error)
}
