import { Socket, type SocketConstructorOpts } from 'node:net'
import type { Readable } from 'node:stream'

const bufferBytes = 64 * 1024

/**
 * Reads a child's stream to its end through one buffer used again and again: with a new buffer for
 * each chunk a flood costs tens of megabytes before the collector runs. Node offers that (`onread`)
 * to sockets one makes, but not to the pipes of a child, so the pipe's handle is moved to a socket
 * of ours; without a handle the stream is read as usual. `chunk` gets bytes that are overwritten
 * afterwards. Returns what is read from: it closes at the end, and can be destroyed before.
 */
export function drain(stream: Readable, on: { chunk(bytes: Buffer): void; end(): void }): Readable {
  const reader = takeOver(stream, on.chunk) ?? stream.on('data', on.chunk)
  reader.on('error', () => {})
  reader.once('close', () => {
    stream.destroy()
    on.end()
  })
  return reader
}

function takeOver(stream: Readable, onChunk: (bytes: Buffer) => void): Socket | undefined {
  const owner = stream as Readable & { _handle?: unknown }
  if (!owner._handle) return undefined
  const handle = owner._handle
  owner._handle = null
  const buffer = Buffer.allocUnsafeSlow(bufferBytes)
  const callback = (length: number) => {
    onChunk(buffer.subarray(0, length))
    return true
  }
  const options: object = { handle, writable: false, onread: { buffer, callback } }
  return new Socket(options as SocketConstructorOpts)
}
