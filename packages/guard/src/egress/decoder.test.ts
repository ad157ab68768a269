import { expect, test } from 'vitest'
import { findDecoder } from './decoder.ts'

test.each(['gzip', ' GZIP ', 'x-gzip', 'deflate', 'br', 'zstd'])(
  '%j can be decoded',
  (encoding) => {
    expect(findDecoder(encoding)).toBeTypeOf('function')
  },
)

test.each([undefined, '', 'identity'])('%j needs no decoder', (encoding) => {
  expect(findDecoder(encoding)).toBeUndefined()
})

test.each(['compress', 'gzip, gzip', 'constructor', '__proto__', 'toString'])(
  '%j is not known',
  (encoding) => {
    expect(findDecoder(encoding)).toBeNull()
  },
)
