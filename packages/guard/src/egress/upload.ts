import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { invalidRequest } from './egress-error.ts'

/** What callers may send. */
export type RequestBody = string | Uint8Array | Readable | AsyncIterable<Uint8Array>

/** The same with one kind of stream: one that can be closed from outside. */
export type Upload = string | Uint8Array | Readable

/** Makes an upload of a body. */
export function toUpload(body: RequestBody | undefined): Upload | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body
  // An upload that fails fails the call; that must not bring the process down as well.
  return toReadable(body).on('error', () => {})
}

function toReadable(body: Readable | AsyncIterable<Uint8Array>): Readable {
  if (body instanceof Readable) return body
  if (!(body instanceof ReadableStream)) return Readable.from(body)
  if (body.locked) throw invalidRequest('The request body is read by someone else already.')
  return Readable.fromWeb(body)
}
