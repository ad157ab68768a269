import { Agent, type IncomingMessage, request } from 'node:http'
import type { Target } from './contract.ts'

/** One client session of a target, with calls at once over kept connections. */
export interface Load extends Disposable {
  call(): Promise<void>
  list(): Promise<string>
}

/** How messages go to a target and answers come back. */
interface Wire extends Disposable {
  /** The answer to a request with this id; undefined for a notification. */
  post(message: object, id: number | undefined): Promise<string>
}

const accept = 'application/json, text/event-stream'

export async function openLoad(target: Target): Promise<Load> {
  const wire = target.wire === 'sse' ? await openSse(target) : openHttp(target)
  let count = 0

  async function ask(method: string, params: object): Promise<string> {
    count += 1
    const id = count
    const text = await wire.post({ jsonrpc: '2.0', id, method, params }, id)
    if (!text.includes('"result"')) throw new Error(`${target.url} ${method}: ${text}`)
    return text
  }

  await ask('initialize', introduction)
  await wire.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, undefined)
  return {
    call: async () => void (await ask('tools/call', toCall(target))),
    list: () => ask('tools/list', {}),
    [Symbol.dispose]: () => wire[Symbol.dispose](),
  }
}

function openHttp({ url, headers: own }: Target): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  let session: string | undefined
  return {
    async post(message) {
      const headers = {
        ...{ accept, 'content-type': 'application/json', ...own },
        ...(session !== undefined && { 'mcp-session-id': session }),
      }
      const answer = await send(url, { agent, headers, body: JSON.stringify(message) })
      session ??= answer.message.headers['mcp-session-id'] as string | undefined
      return answer.text
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

async function openSse(target: Target): Promise<Wire> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const waiting = new Map<number, (text: string) => void>()
  const endpoint = Promise.withResolvers<string>()
  const stream = request(target.url, { headers: { accept: 'text/event-stream' } }, (message) =>
    readEvents(message, (event, data) => {
      if (event === 'endpoint') endpoint.resolve(new URL(data, target.url).href)
      else waiting.get(JSON.parse(data).id)?.(data)
    }),
  ).end()
  const url = await endpoint.promise
  return {
    async post(message, id) {
      const { promise, resolve } = Promise.withResolvers<string>()
      if (id === undefined) resolve('')
      else waiting.set(id, resolve)
      const headers = { 'content-type': 'application/json' }
      await send(url, { agent, headers, body: JSON.stringify(message) })
      const text = await promise
      if (id !== undefined) waiting.delete(id)
      return text
    },
    [Symbol.dispose]() {
      stream.destroy()
      agent.destroy()
    },
  }
}

const introduction = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'load', version: '1.0.0' },
}

function toCall({ tool }: Target): object {
  return { name: tool, arguments: { text: 'x'.repeat(100) } }
}

function send(
  url: string,
  { agent, headers, body }: { agent: Agent; headers: Record<string, string>; body: string },
): Promise<{ message: IncomingMessage; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    message: IncomingMessage
    text: string
  }>()
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  request(url, { method: 'POST', agent, headers: { ...headers, ...length } }, (message) => {
    let text = ''
    message.setEncoding('utf8')
    message.on('data', (chunk) => {
      text += chunk
    })
    message.on('end', () => resolve({ message, text }))
  })
    .on('error', reject)
    .end(body)
  return promise
}

function readEvents(message: IncomingMessage, take: (event: string, data: string) => void): void {
  let rest = ''
  message.setEncoding('utf8')
  message.on('data', (chunk) => {
    const events = (rest + chunk).split(/\r?\n\r?\n/)
    rest = events.pop() ?? ''
    for (const text of events) {
      const event = /^event: *(.*)$/m.exec(text)?.[1] ?? 'message'
      const data = /^data: *(.*)$/m.exec(text)?.[1]
      if (data) take(event, data)
    }
  })
}
