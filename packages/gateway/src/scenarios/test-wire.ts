import { waitFor } from '@dataagent/testkit'
import { onTestFinished } from 'vitest'
import { createParser } from './test-events.ts'

/** A JSON-RPC message, loosely. */
export interface Rpc {
  id?: string | number | null
  method?: string
  params?: Record<string, never> & { progressToken?: unknown; uri?: string; data?: unknown }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
  result?: any
  error?: { code: number; message: string; data?: Record<string, unknown> }
}

export interface WireAsk {
  method?: string
  /** Sent as bearer. */
  token?: string | undefined
  /** A message, or a text as it is. */
  body?: object | string
  headers?: Record<string, string>
}

/** One request and what comes back, as it comes. */
export interface Wire {
  status: number
  headers: Headers
  messages: Rpc[]
  events: { event: string; data: string }[]
  comments: string[]
  /** The first message that fits, once it is there. */
  until(fits: (message: Rpc) => boolean, timeoutMs?: number): Promise<Rpc>
  /** When nothing more comes. */
  ended: Promise<void>
  text(): string
  leave(): void
}

/** Sends one request as a client would that nobody wrote an SDK for. */
export async function send(url: string, ask: WireAsk = {}): Promise<Wire> {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const { method = 'POST', token, body, headers } = ask
  const response = await fetch(url, {
    ...{ method, signal: leaving.signal, redirect: 'manual' },
    headers: {
      accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const seen = createSeen(response)
  return {
    ...{ status: response.status, headers: response.headers, ...seen },
    until: (fits, timeoutMs = 10_000) =>
      waitFor(() => seen.messages.find(fits), { timeoutMs, what: `one fits ${fits}` }),
    leave: () => leaving.abort(),
  }
}

function createSeen(response: Response) {
  const parser = createParser()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  let whole = ''
  const messages: Rpc[] = []

  async function read(): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      const text = decoder.decode(chunk, { stream: true })
      whole += text
      if (isStream) messages.push(...parser.take(text).map((data) => JSON.parse(data) as Rpc))
    }
    if (!isStream && whole.startsWith('{')) messages.push(JSON.parse(whole) as Rpc)
  }

  const { events, comments } = parser
  const ended = read().catch(() => {})
  return { messages, events, comments, ended, text: () => whole }
}

export function request(id: string | number, method: string, params?: object): object {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) }
}

/** Sends a message and gives the answer to it. */
export async function ask(url: string, sent: WireAsk): Promise<Rpc & { status: number }> {
  const wire = await send(url, sent)
  await wire.ended
  const answer = wire.messages.findLast(({ method }) => method === undefined)
  return { status: wire.status, ...answer }
}
