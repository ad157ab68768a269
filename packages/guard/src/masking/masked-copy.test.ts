import { AppError } from '@dataagent/schema/base'
import { describe, expect, test } from 'vitest'
import { createMasker } from './masker.ts'

const { mask } = createMasker()

describe('a copy', () => {
  test('is what JSON can hold, and the original stays as it was', () => {
    const given = {
      date: new Date(0),
      url: new URL('https://u:p@a.example/?token=x'),
      bytes: Buffer.from('secret'),
      array: new Uint16Array(2),
      map: new Map<unknown, unknown>([[1, 'a']]),
      set: new Set(['b']),
      big: 12n,
      text: new String('t'),
      run: () => {},
      symbol: Symbol('s'),
      nothing: undefined,
      token: 'x',
    }
    const before = structuredClone({ map: given.map, set: given.set, token: given.token })
    expect(mask(given)).toEqual({
      date: '1970-01-01T00:00:00.000Z',
      url: 'https://***@a.example/?token=***',
      bytes: '[6 bytes]',
      array: '[4 bytes]',
      map: [[1, 'a']],
      set: ['b'],
      big: '12',
      text: 't',
      run: '[function]',
      symbol: '[symbol]',
      nothing: undefined,
      token: '***',
    })
    expect(given).toMatchObject(before)
  })

  test('of an error has name, message, stack, cause and own fields', () => {
    const cause = Object.assign(new TypeError('Bearer abcdefgh'), { code: 'E1', password: 'x' })
    const error = new AppError('internal', 'at https://u:p@h/', { cause, data: { token: 'x' } })
    expect(mask(error)).toMatchObject({
      name: 'AppError',
      code: 'internal',
      message: 'at https://***@h/',
      stack: expect.stringContaining('at https://***@h/'),
      data: { token: '***' },
      cause: { name: 'TypeError', message: 'Bearer ***', code: 'E1', password: '***' },
    })
    expect(mask(new AggregateError([new Error('one')]))).toMatchObject({
      errors: [{ message: 'one' }],
    })
  })

  test('survives cycles, throwing getters, hostile toJSON and proxies', () => {
    const circle: Record<string, unknown> = { name: 'a' }
    circle.self = circle
    expect(mask(circle)).toEqual({ name: 'a', self: '[circular]' })
    const hostile = {
      get broken() {
        throw new Error('no')
      },
      json: {
        toJSON() {
          throw new Error('no')
        },
      },
      own: {
        toJSON() {
          return this
        },
      },
      proxy: new Proxy({}, { ownKeys: () => null as unknown as string[] }),
    }
    expect(mask(hostile)).toEqual({
      broken: '[unreadable]',
      json: '[unreadable]',
      own: '[circular]',
      proxy: '[unreadable]',
    })
  })

  test('shows the same object twice where it is not a cycle', () => {
    const shared = { a: 1 }
    expect(mask([shared, shared])).toEqual([{ a: 1 }, { a: 1 }])
  })

  test('does not take a key for the prototype', () => {
    const copy = mask(JSON.parse('{"__proto__":{"polluted":true}}')) as object
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true}}')
  })

  test('is bounded in depth, entries and text', () => {
    const small = createMasker({ limits: { depth: 2, entries: 5, text: 20 } })
    expect(small.mask({ a: { b: { c: 1 } } })).toEqual({ a: { b: '[too deep]' } })
    expect(small.mask([1, 2, 3, 4, 5, 6, 7])).toEqual([1, 2, 3, 4, 5, '[left out]'])
    expect(small.mask({ a: 1, b: 2, c: [3, 4, 5] })).toEqual({
      a: 1,
      b: 2,
      c: [3, 4, '[left out]'],
    })
    expect(small.maskText('x'.repeat(21))).toBe(`${'x'.repeat(20)}[cut, 21 characters]`)
    let deep: unknown = 'end'
    for (let i = 0; i < 100_000; i += 1) deep = [deep]
    expect(JSON.stringify(mask(deep))).toContain('[too deep]')
  })

  test('does not keep half a secret where it cuts', () => {
    const secret = 'abcdefghijklmnopqrstuvwxyz'.repeat(20)
    const small = createMasker({ limits: { text: 600 }, values: [secret] })
    for (let at = 0; at < 3_000; at += 1) {
      const words = `${'.'.repeat(at)}${secret}${'.'.repeat(3_000 - at)}`
      expect(small.maskText(words)).not.toContain('abc')
      // What is masked leaves room for what the look did not reach whole.
      const shrunk = `password=${'x'.repeat(at)} ${secret}${'.'.repeat(3_000 - at)}`
      expect(small.maskText(shrunk)).not.toContain('abc')
    }
  })

  test('of a long text keeps its beginning', () => {
    const long = createMasker().maskText('word '.repeat(100_000))
    expect(long).toBe(`${'word '.repeat(14_000).slice(0, 65_536)}[cut, 500000 characters]`)
  })
})
