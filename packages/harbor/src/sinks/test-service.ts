import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

/** A request as it came. */
export interface Received {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
  json(): unknown
  /** The parts of a multipart body, as the JSON they hold. */
  parts(): Promise<Record<string, unknown>>
}

export type Answer = { status: number; body?: unknown } | 'hang'

/** A real HTTP server in the place of a service. */
export interface TestService extends AsyncDisposable {
  url: string
  requests: Received[]
  /** What came that the service would have refused. */
  problems: unknown[]
  /** Comes before what the service itself says. */
  fault: ((request: Received) => Answer | undefined) | undefined
}

/** Serves `answer`; where that throws, 422 and a problem. */
export async function startTestService(
  answer: (request: Received) => Answer | Promise<Answer>,
): Promise<TestService> {
  const server = createServer(async (request, response) => {
    const received = toReceived(request, await buffer(request))
    service.requests.push(received)
    const given = service.fault?.(received) ?? (await judge(received))
    if (given === 'hang') return
    response.writeHead(given.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(given.body ?? {}))
  })

  async function judge(received: Received): Promise<Answer> {
    try {
      return await answer(received)
    } catch (error) {
      service.problems.push(`${received.method} ${received.path}: ${error}`)
      return { status: 422, body: { detail: 'refused' } }
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: TestService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    problems: [],
    fault: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return service
}

function toReceived(request: IncomingMessage, sent: Buffer): Received {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service')
  const { headers } = request
  const body = headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
  return {
    ...{ method: request.method ?? '', path: pathname, query: searchParams, headers, body },
    json: () => JSON.parse(body.toString()),
    async parts() {
      const type = { 'content-type': headers['content-type'] ?? '' }
      const form = await new Response(new Uint8Array(body), { headers: type }).formData()
      const parts: Record<string, unknown> = {}
      for (const [name, value] of form.entries()) {
        parts[name] = JSON.parse(typeof value === 'string' ? value : await value.text())
      }
      return parts
    },
  }
}
