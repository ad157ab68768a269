import { describe, expect, test } from 'vitest'
import { inSource } from './test-style.ts'

describe('data shapes are schemas or types [D10.5]', () => {
  test.each([
    ['only fields', 'class Point { x = 1; y = 2 }'],
    ['fields and a constructor', 'class Point { x; constructor(x: number) { this.x = x } }'],
    ['class expression', 'export const Point = class { x = 1 }'],
  ])('a class with %s is caught', async (_what, text) => {
    expect(await inSource(text)).toEqual([expect.stringContaining('declare a schema or a type')])
  })

  test('inheritance from anything but an error is caught', async () => {
    expect(await inSource('class A extends EventEmitter { run() {} }\n')).toEqual([
      expect.stringContaining('extends EventEmitter'),
    ])
    expect(await inSource('class A extends AppError { code = 1 }\n')).toEqual([])
    expect(await inSource('class A { #open = true; close() { this.#open = false } }\n')).toEqual([])
  })
})
