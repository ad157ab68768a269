import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** Where an MCP client reaches the tools of a group. */
export interface Door {
  url: string
  key: string
}

/** A client of the gateway that has introduced itself and listens. */
export interface GatewaySession extends AsyncDisposable {
  call(tool: string): Promise<void>
}

/** Connections that all sessions share for what they ask. */
export function openAgent(sockets: number): { agent: Agent } & Disposable {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  return { agent, [Symbol.dispose]: () => agent.destroy() }
}

export async function openSession(agent: Agent, door: Door): Promise<GatewaySession> {
  const introduced = await post(agent, door, { id: 0, method: 'initialize', params: introduction })
  const session = String(introduced.headers['mcp-session-id'])
  const ask = (message: object) => post(agent, door, message, session)
  await ask({ method: 'notifications/initialized' })
  const stream = await listen(door, session)
  let calls = 0
  return {
    async call(tool) {
      calls += 1
      const id = calls
      const params = { name: tool, arguments: { id: String(id) } }
      const answer = await ask({ id, method: 'tools/call', params })
      if (!answer.body.includes(`answers ${id}"`)) throw new Error(`${tool}: ${answer.body}`)
    },
    [Symbol.asyncDispose]: () => stream.end(),
  }
}

/** What is listed at the door. */
export async function listTools(agent: Agent, door: Door): Promise<string> {
  return (await post(agent, door, { id: 0, method: 'tools/list', params: {} })).body
}

const introduction = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'figures', version: '1.0.0' },
}

interface Answer {
  headers: IncomingMessage['headers']
  body: string
}

async function post(agent: Agent, door: Door, message: object, session = ''): Promise<Answer> {
  const headers = {
    ...headersOf(door, session),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const sent = request(door.url, { method: 'POST', agent, headers })
  sent.end(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const answer = await answerOf(sent)
  return { headers: answer.headers, body: await text(answer) }
}

/** The stream on which a client hears of changes; it is ended by us, before its server is. */
async function listen(door: Door, session: string): Promise<{ end(): Promise<void> }> {
  const headers = { ...headersOf(door, session), accept: 'text/event-stream' }
  const sent = request(door.url, { agent: false, headers })
  const closed = Promise.withResolvers<void>()
  sent.on('close', closed.resolve)
  sent.end()
  const answer = await answerOf(sent)
  // Ended in the middle it is told as broken off.
  for (const side of [sent, answer]) side.on('error', () => {})
  if (answer.statusCode !== 200) throw new Error(`no stream: ${await text(answer)}`)
  answer.resume()
  return {
    async end() {
      sent.destroy()
      await closed.promise
    },
  }
}

function headersOf({ key }: Door, session: string): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    ...(session !== '' && { 'mcp-session-id': session }),
  }
}

function answerOf(sent: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  sent.once('response', resolve)
  sent.on('error', reject)
  return promise
}
