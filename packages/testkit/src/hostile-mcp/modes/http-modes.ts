import { type Exchange, refuse, reply } from '../exchange.ts'
import { type Mode, overHttp, type Scene } from '../mode.ts'
import { sendText } from '../scene.ts'
import { writeAll } from '../write-all.ts'
import { isDue, onCall, onCallRequest } from './on-call.ts'
import { repeat, times } from './pieces.ts'

/** What only an HTTP server can do. */
export const httpModes = {
  /** Takes the connection and never says a word. */
  half_open: {
    on: overHttp,
    connection(socket) {
      socket.resume()
      return true
    },
  },
  /** Takes no token but `fresh`. */
  unauthorized: {
    on: overHttp,
    request: onCallRequest((exchange) => {
      if (exchange.request.headers.authorization === 'Bearer fresh') return false
      const headers = { 'www-authenticate': 'Bearer error="invalid_token"' }
      return reply(exchange, { status: 401, headers, body: 'The token has expired' })
    }),
  },
  /** Forgets the session of the call, once and for all; a new one is welcome. */
  session_lost: {
    on: overHttp,
    request(exchange, scene) {
      const session = sessionOf(exchange)
      const isLost = scene.lost.has(session) || isDue(exchange.message, scene)
      if (!isLost || !exchange.message) return false
      scene.lost.add(session)
      return refuse(exchange, 404, -32001)
    },
  },
  /** Says in the open what it was told in confidence. */
  reflects_headers: {
    on: overHttp,
    request: onCallRequest((exchange) =>
      reply(exchange, { status: 500, body: JSON.stringify(exchange.request.headers) }),
    ),
  },
  /** Every second call is refused, the first one among them. */
  server_errors: {
    on: overHttp,
    request: onCallRequest((exchange, scene) => {
      if (scene.calls % 2 === 0) return false
      act(exchange, scene)
      return reply(exchange, { status: 503, body: 'Busy' })
    }),
  },
  too_many_requests: {
    on: overHttp,
    request: onCallRequest((exchange) =>
      reply(exchange, { status: 429, headers: { 'retry-after': '0' }, body: 'Slow down' }),
    ),
  },
  html_error: {
    on: overHttp,
    request: onCallRequest(async (exchange, scene) => {
      act(exchange, scene)
      exchange.response.writeHead(500, { 'content-type': 'text/html' })
      await writeAll(exchange.response, repeat('<p>Error</p>', scene.knobs.bytes ?? 1e6))
      exchange.response.end()
      return true
    }),
  },
  /** An error whose text never ends. */
  endless_error: {
    on: overHttp,
    request: onCallRequest(async (exchange, scene) => {
      act(exchange, scene)
      exchange.response.writeHead(500, { 'content-type': 'text/plain' })
      await writeAll(exchange.response, repeat('error ', Number.POSITIVE_INFINITY))
      return true
    }),
  },
  huge_header: {
    on: overHttp,
    request: onCallRequest((exchange, scene) => {
      act(exchange, scene)
      const headers = { 'x-huge': 'x'.repeat(scene.knobs.bytes ?? 1e6) }
      return reply(exchange, { status: 200, headers })
    }),
  },
  wrong_content_type: {
    on: ['http'],
    request: onCallRequest((exchange, scene) => {
      act(exchange, scene)
      const headers = { 'content-type': 'text/html' }
      return reply(exchange, { status: 200, headers, body: '<title>Sign in</title>' })
    }),
  },
  no_content: {
    on: ['http'],
    request: onCallRequest((exchange, scene) => {
      act(exchange, scene)
      return reply(exchange, { status: 204 })
    }),
  },
  redirect_loop: {
    on: overHttp,
    request: onCallRequest((exchange) =>
      reply(exchange, { status: 307, headers: { location: exchange.url.pathname } }),
    ),
  },
  comment_flood: {
    on: overHttp,
    answer: onCall(async (call) => {
      await call.peer.raw(times(call.scene.knobs.count ?? 1e6, () => ': keep-alive\n\n'))
      await call.proceed()
    }),
  },
  /** Events of other kinds, with ids, waits and data over many lines, around the answer. */
  odd_events: {
    on: overHttp,
    answer: onCall(async (call) => {
      await call.peer.raw(['\uFEFF: odd\r\nevent: other\rdata: {}\n\nid: 7\nretry: 1\n\ndata\n\n'])
      await sendText(call.peer, '')
      await call.proceed()
    }),
  },
  /** The stream ends in good order, without the answer. */
  ends_without_answer: {
    on: ['http'],
    answer: onCall(async (call) => {
      await call.result()
      await call.peer.raw([': bye\n\n'])
      call.peer.end()
    }),
  },
} satisfies Record<string, Mode>

function sessionOf({ request, url }: Exchange): string {
  return String(request.headers['mcp-session-id'] ?? url.searchParams.get('session'))
}

/** The tool does its work, whatever is answered. */
function act({ message }: Exchange, { notes }: Scene): void {
  notes.add('effect', String(message?.params?.name))
}
