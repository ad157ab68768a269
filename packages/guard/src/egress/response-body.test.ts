import { once } from 'node:events'
import type { Transform } from 'node:stream'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findDecoder } from './decoder.ts'
import { createResponseBody, readAll } from './response-body.ts'

const zeros = Buffer.alloc(20 * 1024 * 1024)
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const wire = { pause() {}, resume() {}, abort() {} }

test.each([
  ['gzip', gzipSync(zeros)],
  ['br', brotliCompressSync(zeros, fast)],
  ['zstd', zstdCompressSync(zeros)],
])('no more of a %s bomb is decoded than its limit and one piece [T56]', async (encoding, bomb) => {
  const maxBytes = 1024 * 1024
  const decoder = findDecoder(encoding)?.(bomb) as Transform
  let decoded = 0
  decoder.on('data', (piece: Buffer) => {
    decoded += piece.length
  })
  const body = createResponseBody({ host: 'a.example', wire, maxBytes, decoder: () => decoder })
  const closed = once(decoder, 'close')
  body.write(bomb)
  body.end()
  await expect(readAll(body.stream)).rejects.toMatchObject({ code: 'too_large' })
  await closed
  expect(decoded).toBeLessThan(maxBytes + 128 * 1024)
})
