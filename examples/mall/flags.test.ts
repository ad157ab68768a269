import { expect, test } from 'vitest'
import { type MallFlags, parseFlags, toFlags } from './flags.ts'

test('a command line gives back the options that it was made of', () => {
  const flags: MallFlags = {
    transport: 'http',
    port: 8931,
    token: 't',
    db: 'mall.db',
    delay: { a: 5, b: 6 },
    breakOutput: ['a'],
    tools: ['a', 'b'],
  }
  expect(parseFlags(toFlags(flags))).toEqual(flags)
})

test('the transport is sse where none is named', () => {
  expect(parseFlags([])).toMatchObject({ transport: 'sse', delay: {} })
})

test.each([['--transport', 'smoke'], ['--port', 'x'], ['--delay', 'tool=soon'], ['--unknown']])(
  'refuses %s %s',
  (...args) => {
    expect(() => parseFlags(args)).toThrow('--')
  },
)
