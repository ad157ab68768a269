import { describe, expect, test } from 'vitest'
import { inSource } from './test-style.ts'

describe('async and await, not callbacks [D10.6]', () => {
  test.each([
    ['a function', 'function load(path: string, cb: () => void) { cb() }'],
    ['an arrow function', 'const load = (path: string, callback: () => void) => callback()'],
    ['a method', 'const a = { load(done = () => {}) { done() } }'],
    ['an interface', 'interface A { load(path: string, callback: () => void): void }'],
    ['node:fs', "import { readFile } from 'node:fs'\nreadFile('a', (error, text) => text)"],
    ['fs as a name', "import fs from 'fs'\nfs.readFile('a', function (error) { throw error })"],
    ['node:dns', "import * as dns from 'node:dns'\ndns.resolve('a', (error) => error)"],
    ['node:zlib', "import { gzip } from 'node:zlib'\ngzip('a', (error) => error)"],
    ['node:crypto', "import { scrypt } from 'node:crypto'\nscrypt('a', 'b', 64, () => {})"],
  ])('%s with a callback is caught', async (_what, text) => {
    expect(await inSource(text)).toEqual([expect.stringMatching(/promise/)])
  })

  test('a flag called done and what a library asks for are fine', async () => {
    const text = [
      "import { watch } from 'node:fs'",
      'export async function read(done: boolean, next: number) { if (done) return next }',
      'export const stream = new Readable({ destroy(error, callback) { callback(error) } })',
      "watch('a', () => {})",
    ]
    expect(await inSource(text.join('\n'))).toEqual([])
  })
})
