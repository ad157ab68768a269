import type { Egress } from '@dataagent/guard'
import { type Calls, Fault } from '../sinks/index.ts'

type Fetch = ReturnType<Egress['createFetch']>

/** A `fetch` for LangSmith's client. */
export interface QuietFetch {
  fetch: Fetch
  /** Asks what the server can do, which the client is told from then on. */
  greet(): Promise<void>
  /** Whether it has said that examples can be written; the client throws where it has not. */
  takesExamples(): boolean
  /** Throws what has gone wrong with runs since it was last asked. */
  check(): void
}

/**
 * The client sends runs and asks `/info` on its own time, and what then goes wrong it only prints.
 * So it does not hear of that: it is kept here until somebody asks.
 */
export function createQuietFetch(calls: Calls, endpoint: string): QuietFetch {
  let info: string | undefined
  let fault: unknown

  async function ingest(url: URL, init: RequestInit): Promise<Response> {
    try {
      return await calls.send(url, init)
    } catch (error) {
      // Told, so that it goes on with requests that older servers know.
      if (error instanceof Fault && error.status === 404) return new Response('', { status: 404 })
      fault ??= error
      return new Response('{}', { status: 202 })
    }
  }

  return {
    async fetch(input, init = {}) {
      const url = new URL(input instanceof Request ? input.url : input)
      if (url.pathname.endsWith('/info')) return new Response(info ?? '{}')
      const call = await toSendable(init)
      const isIngest = /\/runs\/(?:multipart|batch)$/.test(url.pathname)
      return isIngest ? ingest(url, call) : calls.send(url, call)
    },
    async greet() {
      info ??= await (await calls.send(new URL(`${endpoint}/info`), {})).text()
    },
    takesExamples: () => toFlags(info).dataset_examples_multipart_enabled === true,
    check() {
      const found = fault
      fault = undefined
      if (found !== undefined) throw found
    },
  }
}

function toFlags(info: string | undefined): Record<string, unknown> {
  try {
    return Object(Object(JSON.parse(info ?? '{}')).instance_flags)
  } catch {
    return {}
  }
}

/** With a body that can be sent again. The client's own time limit is not that of a call here. */
async function toSendable({ signal: _, ...init }: RequestInit): Promise<RequestInit> {
  if (init.body === null || init.body === undefined) return init
  const carrier = new Response(init.body)
  const headers = new Headers(init.headers)
  const contentType = carrier.headers.get('content-type')
  if (contentType !== null && !headers.has('content-type')) headers.set('content-type', contentType)
  return { ...init, headers, body: new Uint8Array(await carrier.arrayBuffer()) }
}
