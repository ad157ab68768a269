import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

/** Makes the decoder of a body from the body's first bytes. */
export type DecoderFactory = (first: Uint8Array) => Transform

/** What the caller is said to accept when it does not say so itself. */
export const acceptEncoding = 'gzip, deflate, br, zstd'

// Flushing after each chunk lets an event of a compressed event stream through as soon as it is
// whole.
const zlib = { flush: constants.Z_SYNC_FLUSH }
const gunzip: DecoderFactory = () => createGunzip(zlib)

const decoders: Record<string, DecoderFactory> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  // Some servers send deflate without the zlib header, whose first byte ends in 8 (RFC 1950,
  // section 2.2).
  deflate: (first) => ((first[0]! & 0x0f) === 8 ? createInflate(zlib) : createInflateRaw(zlib)),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ flush: constants.ZSTD_e_flush }),
}

/**
 * The decoder for a Content-Encoding: `undefined` when none is needed, `null` when it is one that
 * is not known.
 */
export function findDecoder(encoding: string | undefined): DecoderFactory | undefined | null {
  if (encoding === undefined) return undefined
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return undefined
  return Object.hasOwn(decoders, name) ? decoders[name] : null
}
