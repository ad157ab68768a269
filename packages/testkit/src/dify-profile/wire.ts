import { once } from 'node:events'
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import { fault } from './fault.ts'

export type Header = [name: string, value: string]

/** A request as it went out. */
export interface WireRequest {
  method: string
  url: string
  /** In their order and with their capitals. */
  headers: Header[]
  body: string
  /** Of its answer, once that has begun. */
  status: number | undefined
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Readable
}

export interface Sending {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers?: Header[] | undefined
  body?: string | undefined
  signal?: AbortSignal | undefined
}

/** As one client of httpx: connections of its own, and its headers before those of a request. */
export interface Wire extends Disposable {
  /** Settles when the headers of the answer are there. */
  send(sending: Sending): Promise<Answer>
}

export interface WireOptions {
  /** Where every request is written down. */
  requests: WireRequest[]
  headers?: Header[]
  followsRedirects?: boolean
}

const ownHeaders: Header[] = [
  ['Accept', '*/*'],
  ['Accept-Encoding', 'gzip, deflate'],
  ['Connection', 'keep-alive'],
  ['User-Agent', 'python-httpx/0.28.1'],
]
const mostRedirects = 20

export function createWire({
  requests,
  headers = [],
  followsRedirects = false,
}: WireOptions): Wire {
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  }
  const defaults = mergeHeaders(ownHeaders, headers)

  async function sendOnce(sending: Sending): Promise<Answer> {
    const url = new URL(sending.url)
    const { method, body = '', signal } = sending
    const all = toWireHeaders(url, mergeHeaders(defaults, sending.headers ?? []), body)
    const record: WireRequest = { method, url: url.href, headers: all, body, status: undefined }
    requests.push(record)
    const { request } = url.protocol === 'https:' ? https : http
    const agent = agents[url.protocol as keyof typeof agents]
    const outgoing = request(url, { method, headers: all.flat(), agent, signal })
    // Errors after the answer has begun are those of its body.
    outgoing.on('error', () => {}).end(body)
    const [incoming] = (await once(outgoing, 'response').catch(rethrow)) as [IncomingMessage]
    record.status = incoming.statusCode
    return { status: incoming.statusCode!, headers: incoming.headers, body: decoded(incoming) }
  }

  async function send(sending: Sending, left = mostRedirects): Promise<Answer> {
    const answer = await sendOnce(sending)
    const next = followsRedirects && left > 0 ? redirected(sending, answer) : undefined
    if (!next) return answer
    answer.body.resume()
    return send(next, left - 1)
  }

  return {
    send: (sending) => send(sending),
    [Symbol.dispose]() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

function rethrow(cause: Error): never {
  throw fault('unreachable', `No answer: ${cause.message}`)
}

/** A header that is there is replaced where it stands; names go out as they were written last. */
export function mergeHeaders(base: readonly Header[], over: readonly Header[]): Header[] {
  const merged = [...base]
  for (const header of over) {
    const at = merged.findIndex(([name]) => name.toLowerCase() === header[0].toLowerCase())
    if (at < 0) merged.push(header)
    else merged[at] = header
  }
  return merged
}

function toWireHeaders(url: URL, headers: Header[], body: string): Header[] {
  const length: Header[] = body === '' ? [] : [['Content-Length', String(Buffer.byteLength(body))]]
  return [['Host', url.host], ...headers, ...length]
}

function redirected(sending: Sending, { status, headers }: Answer): Sending | undefined {
  if (headers.location === undefined || ![301, 302, 303, 307, 308].includes(status))
    return undefined
  const url = new URL(headers.location, sending.url).href
  const keeps = status === 307 || status === 308 || sending.method !== 'POST'
  return keeps ? { ...sending, url } : { ...sending, url, method: 'GET', body: undefined }
}

function decoded(incoming: IncomingMessage): Readable {
  const encoding = incoming.headers['content-encoding']
  if (encoding !== 'gzip' && encoding !== 'deflate') return incoming
  const decoder = encoding === 'gzip' ? createGunzip() : createInflate()
  // Whoever reads it is told of an error.
  return pipeline(incoming, decoder, () => {})
}
