import { isAppError } from '@dataagent/schema/base'
import { describe, expect, test } from 'vitest'
import { parsePath } from './parse-path.ts'

describe('a path inside the workspace', () => {
  test.each([
    ['.', []],
    ['./', []],
    ['a', ['a']],
    ['a/', ['a']],
    ['./a//b/.', ['a', 'b']],
    ['a/../b', ['b']],
    ['a/b/../../c', ['c']],
    ['a/..', []],
    ['...', ['...']],
    ['a..', ['a..']],
    ['~/x', ['~', 'x']],
    ['%2e%2e/x', ['%2e%2e', 'x']],
    ['‥/．．/x', ['‥', '．．', 'x']],
    ['a∕b', ['a∕b']],
    [' a ', [' a ']],
    ['con', ['con']],
    ['数据/é.csv', ['数据', 'é.csv']],
  ])('%j is allowed', (path, names) => {
    expect(parsePath(path, 'linux')).toEqual(names)
  })

  test('keeps the NFC and NFD spellings of a name apart', () => {
    expect(parsePath('é'.normalize('NFC'))).not.toEqual(parsePath('é'.normalize('NFD')))
  })
})

describe('a path that is not is refused as a permission error', () => {
  test.each([
    '',
    '..',
    '../x',
    'a/../..',
    'a/../../u1/x',
    './../x',
    '/',
    '/etc/passwd',
    '//server/share',
    'C:',
    'c:x',
    'C:/x',
    'C:\\x',
    '\\\\server\\share',
    '\\x',
    'a\\..\\..\\x',
    'a\\b',
    'a\0b',
    '\0',
    'a\ud800',
    '.dataagent~tmp-00',
    'a/.DataAgent~x/b',
  ])('%j', (path) => {
    expect(refusalOf(() => parsePath(path, 'linux'))).toMatch(/Allowed are paths inside/)
  })

  test('a name over 255 bytes, a path over 3072', () => {
    for (const path of ['x'.repeat(256), 'é'.repeat(128), 'ab/'.repeat(1025)]) {
      expect(refusalOf(() => parsePath(path, 'linux'))).toMatch(/too long/)
    }
    expect(parsePath('é'.repeat(127), 'linux')).toHaveLength(1)
  })

  test.each(['a.', 'a ', 'a./b', 'con', 'NUL.txt', 'com1', 'LPT¹', 'ab:c', 'x?', 'a\nb', 'aux .c'])(
    '%j on Windows',
    (path) => {
      expect(refusalOf(() => parsePath(path, 'win32'))).toMatch(/Windows/)
    },
  )

  test('and its message stays short and on one line', () => {
    const message = refusalOf(() => parsePath(`/\n\u001b[2J${'x'.repeat(3000)}`))
    expect(message.length).toBeLessThan(500)
    expect(message.includes('\n') || message.includes('\u001b')).toBe(false)
  })
})

function refusalOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (isAppError(error, 'path_denied')) return error.message
    throw error
  }
  return 'was allowed'
}
