import { fault, refusal } from './fault.ts'
import type { Inbox } from './inbox.ts'
import { readSseEvents } from './sse-events.ts'
import type { Transport, TransportOptions } from './transport.ts'
import { type Answer, createWire } from './wire.ts'

/** HTTP+SSE: answers come on the stream alone, and what happens to a POST nobody looks at. */
export async function openSse(options: TransportOptions): Promise<Transport> {
  const { url, headers, requests, inbox } = options
  const wire = createWire({ requests, headers, followsRedirects: true })
  const leaving = new AbortController()
  try {
    const endpoint = await openStream()
    let isWriting = true

    async function post(body: string): Promise<void> {
      if (!isWriting) return
      const problem = await tryPost(body)
      if (problem === undefined) return
      isWriting = false
      inbox.blame(problem)
    }

    async function tryPost(body: string): Promise<string | undefined> {
      try {
        const sending = { method: 'POST', url: endpoint, body, headers: jsonBody } as const
        const answer = await wire.send({ ...sending, signal: leaving.signal })
        answer.body.resume()
        if (answer.status < 300) return undefined
        return `a POST of the SSE session was answered ${answer.status}`
      } catch {
        return 'a POST of the SSE session had no answer'
      }
    }

    return { post, close: async () => leave() }
  } catch (error) {
    leave()
    throw error
  }

  function leave(): void {
    leaving.abort()
    wire[Symbol.dispose]()
  }

  async function openStream(): Promise<string> {
    const answer = await options.within(
      wire.send({ method: 'GET', url, headers: streamHeaders, signal: leaving.signal }),
      'the GET of the SSE stream is not answered',
    )
    if (answer.status >= 300) throw refusal(answer.status, answer.headers['www-authenticate'])
    const endpoint = Promise.withResolvers<string>()
    void follow(answer, { url, inbox, endpoint })
    const deadline = setTimeout(() => endpoint.reject(noEndpoint()), options.endpointMs)
    return endpoint.promise.finally(() => clearTimeout(deadline))
  }
}

const streamHeaders: [string, string][] = [
  ['Accept', 'text/event-stream'],
  ['Cache-Control', 'no-store'],
]
const jsonBody: [string, string][] = [['Content-Type', 'application/json']]

interface Following {
  url: string
  inbox: Inbox
  endpoint: PromiseWithResolvers<string>
}

/** Reads until the stream ends; never rejects. */
async function follow({ headers, body }: Answer, { url, inbox, endpoint }: Following) {
  if (!headers['content-type']?.includes('text/event-stream')) {
    body.resume()
    return inbox.spoil(fault('invalid', 'The SSE stream is no text/event-stream'))
  }
  try {
    for await (const { event, data } of readSseEvents(body)) {
      if (event === 'message') inbox.receive(data)
      if (event === 'endpoint') takeEndpoint(data, url, endpoint)
    }
  } catch {
    // A cut is as an end.
  }
  inbox.blame('the SSE stream has ended')
}

/** Compares scheme, host and port as they are written: localhost is not 127.0.0.1. */
function takeEndpoint(data: string, url: string, endpoint: PromiseWithResolvers<string>): void {
  const target = new URL(data, url)
  const isSame = target.protocol === new URL(url).protocol && target.host === new URL(url).host
  if (isSame) endpoint.resolve(target.href)
  else endpoint.reject(fault('endpoint', `Endpoint origin does not match: ${target.href}`))
}

function noEndpoint(): Error {
  return fault('endpoint', 'failed to get endpoint URL')
}
