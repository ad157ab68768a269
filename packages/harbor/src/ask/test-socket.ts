import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** The server's end of a WebSocket (RFC 6455) for short texts: all that turns of tests need. */
export interface TestSocket {
  send(message: object): void
}

/** From section 1.3. */
const acceptId = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const opcodes = { text: 1, close: 8, ping: 9, pong: 10 }

export function acceptSocket(
  { headers }: IncomingMessage,
  stream: Duplex,
  onMessage: (message: Record<string, unknown>) => void,
): TestSocket {
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${acceptId}`)
  stream.write(
    [
      'HTTP/1.1 101 Switching Protocols',
      ...['Upgrade: websocket', 'Connection: Upgrade'],
      `Sec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`,
    ].join('\r\n'),
  )
  let unread = Buffer.alloc(0)
  stream.on('error', () => {})
  stream.on('data', (data: Buffer) => {
    unread = Buffer.concat([unread, data])
    for (let frame = readFrame(unread); frame; frame = readFrame(unread)) {
      unread = unread.subarray(frame.length)
      const { opcode, payload } = frame
      if (opcode === opcodes.text) onMessage(JSON.parse(payload.toString()))
      if (opcode === opcodes.ping) stream.write(toFrame(opcodes.pong, payload))
      if (opcode === opcodes.close) stream.end(toFrame(opcodes.close, payload))
    }
  })
  return {
    send(message) {
      if (stream.writable) stream.write(toFrame(opcodes.text, Buffer.from(JSON.stringify(message))))
    },
  }
}

/** Undefined where it is not whole yet. A client's frames are masked (section 5.3). */
function readFrame(data: Buffer) {
  if (data.length < 2) return undefined
  const [first = 0, second = 0] = data
  const size = second & 0x7f
  const from = size === 126 ? 8 : 6
  if (size === 127) throw new Error('A test sends no such long text.')
  if (data.length < from) return undefined
  const length = from + (size === 126 ? data.readUInt16BE(2) : size)
  if (data.length < length) return undefined
  const mask = data.subarray(from - 4, from)
  const payload = data.subarray(from, length).map((byte, at) => byte ^ (mask[at % 4] ?? 0))
  return { opcode: first & 0x0f, payload: Buffer.from(payload), length }
}

function toFrame(opcode: number, payload: Buffer): Buffer {
  const isLong = payload.length > 125
  const head = Buffer.alloc(isLong ? 4 : 2)
  head[0] = 0x80 | opcode
  head[1] = isLong ? 126 : payload.length
  if (isLong) head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}
