import { connect, type Socket } from 'node:net'

export interface HttpAnswer {
  status: number
  /** The head as it came. */
  head: string
  text: string
}

/** Requests to one server over kept connections, each with one request at a time. */
export interface KeptHttp extends Disposable {
  post(
    path: string,
    request: { headers: Record<string, string>; body: string },
  ): Promise<HttpAnswer>
}

interface Connection {
  readonly isOpen: boolean
  ask(text: string): Promise<HttpAnswer>
}

/**
 * As little of a client as will do: on a machine of few cores what the client spends is missing
 * where the server is measured.
 */
export function openKeptHttp(url: string): KeptHttp {
  const { hostname, port, host } = new URL(url)
  const sockets = new Set<Socket>()
  const free: Connection[] = []

  /** One that the server has not closed meanwhile. */
  function take(): Connection {
    for (let kept = free.pop(); kept !== undefined; kept = free.pop()) if (kept.isOpen) return kept
    return open()
  }

  function open(): Connection {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    sockets.add(socket)
    return toConnection(socket)
  }

  return {
    async post(path, { headers, body }) {
      const connection = take()
      const lines = Object.entries({
        ...{ host, ...headers, 'content-length': String(Buffer.byteLength(body)) },
      }).map(([name, value]) => `${name}: ${value}\r\n`)
      const answer = await connection.ask(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
      free.push(connection)
      return answer
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function toConnection(socket: Socket): Connection {
  let got = Buffer.alloc(0)
  let waiting: PromiseWithResolvers<HttpAnswer> | undefined
  socket.on('data', (chunk) => {
    got = got.length === 0 ? chunk : Buffer.concat([got, chunk])
    const answer = parseAnswer(got)
    if (answer === undefined) return
    got = Buffer.alloc(0)
    waiting?.resolve(answer)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the server closed the connection')))
  return {
    get isOpen() {
      return !socket.destroyed && !socket.readableEnded
    },
    ask(text) {
      waiting = Promise.withResolvers()
      socket.write(text)
      return waiting.promise
    },
  }
}

/** The answer, once all of it has come. */
function parseAnswer(got: Buffer): HttpAnswer | undefined {
  const end = got.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = got.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const length = /^content-length: *(\d+)/im.exec(head)?.[1]
  const body = got.subarray(end + 4)
  const text = length === undefined ? readChunks(body) : readLength(body, Number(length))
  return text === undefined ? undefined : { status, head, text }
}

function readLength(body: Buffer, length: number): string | undefined {
  return body.length < length ? undefined : body.toString('utf8', 0, length)
}

function readChunks(body: Buffer): string | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const length = Number.parseInt(body.toString('latin1', at, lineEnd), 16)
    const from = lineEnd + 2
    if (body.length < from + length + 2) return undefined
    if (length === 0) return Buffer.concat(chunks).toString('utf8')
    chunks.push(body.subarray(from, from + length))
    at = from + length + 2
  }
}
