import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fault, refusal } from './fault.ts'
import { readSseEvents } from './sse-events.ts'
import type { MessageKind, Transport, TransportOptions } from './transport.ts'
import { type Answer, createWire, type Header, mergeHeaders } from './wire.ts'

/** Streamable HTTP: answers are in the POST, as JSON or as a stream; the GET beside it may fail. */
export async function openStreamable(options: TransportOptions): Promise<Transport> {
  const { url, requests, inbox } = options
  const ownHeaders: Header[] = [
    ['Accept', 'application/json, text/event-stream'],
    ['content-type', 'application/json'],
  ]
  const headers = mergeHeaders(ownHeaders, options.headers)
  const wire = createWire({ requests, headers, followsRedirects: true })
  const leaving = new AbortController()
  const { signal } = leaving
  let session: string | undefined

  const sessionHeaders = (): Header[] => (session ? [['mcp-session-id', session]] : [])

  async function post(body: string, kind: MessageKind): Promise<void> {
    if (kind === 'initialized') listen()
    try {
      const sending = { method: 'POST', url, body, headers: sessionHeaders(), signal } as const
      await take(await wire.send(sending), kind)
    } catch {
      inbox.spoil(fault('unreachable', 'The connection was cut or could not be made'))
    }
  }

  async function take(answer: Answer, kind: MessageKind): Promise<void> {
    const { status, headers } = answer
    const isNote = kind === 'initialized' || kind === 'reply'
    if (status === 202 && !isNote) inbox.blame('a request was answered 202')
    if (status >= 300 || status === 202 || isNote) answer.body.resume()
    if (status === 404 && isNote) return
    if (status === 404) return inbox.refuse(fault('connection', 'Session terminated by server'))
    if (status >= 300) return inbox.refuse(refusal(status, headers['www-authenticate']))
    if (status === 202 || isNote) return
    if (kind === 'initialize') session = headers['mcp-session-id'] as string | undefined
    await read(answer)
  }

  async function read({ headers, body }: Answer): Promise<void> {
    const type = (headers['content-type'] ?? '').toLowerCase()
    if (type.startsWith('application/json')) inbox.receive(await text(body))
    else if (type.startsWith('text/event-stream')) await readAnswer(body)
    else {
      body.resume()
      inbox.spoil(fault('connection', `Unexpected content type: ${type}`))
    }
  }

  async function readAnswer(body: Readable): Promise<void> {
    for await (const { event, data } of readSseEvents(body))
      if (event === 'message' && data.trim() !== '' && inbox.receive(data)) return
    inbox.blame('the stream of the POST ended without an answer')
  }

  /** Whatever becomes of it, Dify goes on. */
  function listen(): void {
    if (session === undefined) return
    const streamHeaders: Header[] = [
      ['Accept', 'text/event-stream'],
      ['Cache-Control', 'no-store'],
      ...sessionHeaders(),
    ]
    void wire
      .send({ method: 'GET', url, headers: streamHeaders, signal })
      .then(readAside)
      .catch(() => {})
  }

  async function readAside({ status, headers, body }: Answer): Promise<void> {
    if (status >= 300 || !headers['content-type']?.includes('text/event-stream')) {
      body.resume()
      return
    }
    for await (const { event, data } of readSseEvents(body))
      if (event === 'message' && data.trim() !== '') inbox.receive(data)
  }

  async function close(): Promise<void> {
    try {
      if (session === undefined) return
      const sending = { method: 'DELETE', url, headers: sessionHeaders() } as const
      const { body } = await options.within(wire.send(sending), 'the DELETE is not answered')
      body.resume()
    } catch {
      // Dify only logs it.
    } finally {
      leaving.abort()
      wire[Symbol.dispose]()
    }
  }

  return { post, close }
}
