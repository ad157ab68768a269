import { type IncomingMessage, request } from 'node:http'
import type { Target } from './contract.ts'
import { openKeptHttp } from './kept-http.ts'

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
  const http = openKeptHttp(url)
  const { pathname } = new URL(url)
  let headers: Record<string, string> = { accept, 'content-type': 'application/json', ...own }
  return {
    async post(message) {
      const { head, text } = await http.post(pathname, { headers, body: JSON.stringify(message) })
      if (headers['mcp-session-id'] === undefined) headers = { ...headers, ...sessionOf(head) }
      return text
    },
    [Symbol.dispose]: () => http[Symbol.dispose](),
  }
}

function sessionOf(head: string): Record<string, string> {
  const session = /^mcp-session-id: *(\S+)/im.exec(head)?.[1]
  return session === undefined ? {} : { 'mcp-session-id': session }
}

async function openSse(target: Target): Promise<Wire> {
  const http = openKeptHttp(target.url)
  const waiting = new Map<number, PromiseWithResolvers<string>>()
  const endpoint = Promise.withResolvers<string>()
  const stream = request(target.url, { headers: { accept: 'text/event-stream' } }, (message) => {
    readEvents(message, (event, data) => {
      if (event === 'endpoint') endpoint.resolve(data)
      else waiting.get(JSON.parse(data).id)?.resolve(data)
    })
    message.on('close', () => {
      const error = new Error(`${target.url} ended its stream (${message.statusCode})`)
      for (const { reject } of [endpoint, ...waiting.values()]) reject(error)
    })
  }).on('error', endpoint.reject)
  stream.end()
  const path = await endpoint.promise
  const headers = { 'content-type': 'application/json' }
  return {
    async post(message, id) {
      const answer = Promise.withResolvers<string>()
      if (id === undefined) answer.resolve('')
      else waiting.set(id, answer)
      await http.post(path, { headers, body: JSON.stringify(message) })
      const text = await answer.promise
      if (id !== undefined) waiting.delete(id)
      return text
    },
    [Symbol.dispose]() {
      stream.destroy()
      http[Symbol.dispose]()
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
