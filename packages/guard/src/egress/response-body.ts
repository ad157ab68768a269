import { Readable, type Transform } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { AppError } from '@dataagent/schema/base'
import type { DecoderFactory } from './decoder.ts'
import { tooLarge, upstreamFailed } from './egress-error.ts'

/** How the body steers the connection its bytes come from. */
export interface Wire {
  pause(): void
  resume(): void
  abort(reason: Error): void
}

export interface ResponseBodyOptions {
  host: string
  wire: Wire
  /** Counted on the wire and after decoding; Infinity for none. */
  maxBytes: number
  decoder: DecoderFactory | undefined
}

/**
 * A stream that bytes from the wire are written to: decoded, counted, slowed to the reader's pace.
 */
export interface ResponseBody {
  stream: Readable
  write(chunk: Buffer): void
  end(): void
  fail(error: AppError): void
}

export function createResponseBody(options: ResponseBodyOptions): ResponseBody {
  const { host, wire, maxBytes } = options
  let wireBytes = 0
  let bodyBytes = 0
  let complete = false
  let decoder: Transform | undefined

  const stream = new Readable({
    read() {
      if (decoder === undefined) wire.resume()
      else decoder.resume()
    },
    destroy(error, finish) {
      decoder?.destroy()
      if (!complete) wire.abort(error ?? new Error('the reader closed the body'))
      finish(error)
    },
  })
  // A failure while nobody reads must not bring the process down; a later reader still gets it.
  stream.on('error', () => {})

  return { stream, write, end, fail }

  function write(chunk: Buffer): void {
    wireBytes += chunk.length
    if (wireBytes > maxBytes) fail(tooLarge(host, maxBytes))
    else if (options.decoder === undefined) deliver(chunk, wire)
    else decode(chunk, options.decoder)
  }

  function end(): void {
    complete = true
    if (decoder === undefined) stream.push(null)
    else decoder.end()
  }

  function fail(error: AppError): void {
    stream.destroy(error)
  }

  function deliver(chunk: Buffer, source: { pause(): void }): void {
    bodyBytes += chunk.length
    if (bodyBytes > maxBytes) fail(tooLarge(host, maxBytes))
    else if (!stream.push(chunk)) source.pause()
  }

  function decode(chunk: Buffer, create: DecoderFactory): void {
    decoder ??= startDecoder(create(chunk))
    if (!decoder.write(chunk)) wire.pause()
  }

  function startDecoder(transform: Transform): Transform {
    return transform
      .on('data', (chunk: Buffer) => deliver(chunk, transform))
      .on('drain', () => wire.resume())
      .on('end', () => stream.push(null))
      .on('error', (error) =>
        fail(upstreamFailed(host, 'sent a body that cannot be decoded', error)),
      )
  }
}

/** The whole of a body. Rejects with the body's failure. */
export function readAll(stream: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const onClose = () => reject(stream.errored ?? new Error('the body was closed before its end'))
    if (stream.destroyed) return onClose()
    stream
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
      .on('error', reject)
      .on('close', onClose)
  })
}

/**
 * Reads a small body to its end so that its connection can be used again; cuts a longer one off.
 */
export async function discard(stream: Readable, maxBytes = 16_384): Promise<void> {
  let left = maxBytes
  stream.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) stream.destroy()
  })
  if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve))
  // The HTTP client takes a connection back one turn of the event loop after the body's end.
  await setImmediate()
}
