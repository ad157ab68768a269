import { describe, expect, test } from 'vitest'
import { toContent } from './to-content.ts'
import { toCsv, toTabs } from './to-csv.ts'
import { toFileName } from './to-file-name.ts'
import { toShort } from './to-short.ts'
import { toTable } from './to-table.ts'

const png = 'iVBORw0KGgo='

describe('a result becomes blocks', () => {
  test.each([
    ['text', 'plain', [{ kind: 'text', text: 'plain' }]],
    ['text that is JSON', '{"a":1}', [{ kind: 'json', value: { a: 1 } }]],
    ['text that only begins like JSON', '{a', [{ kind: 'text', text: '{a' }]],
    ['a number', 3, [{ kind: 'json', value: 3 }]],
    ['nothing', undefined, []],
    ['content', { content: [{ type: 'text', text: 'a' }] }, [{ kind: 'text', text: 'a' }]],
    [
      'structured content, once',
      { content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } },
      [{ kind: 'json', value: { a: 1 } }],
    ],
    [
      'an image that it holds',
      { content: [{ type: 'image', data: png, mimeType: 'image/png' }] },
      [{ kind: 'image', src: `data:image/png;base64,${png}` }],
    ],
    [
      'text beside structured content that says something else',
      { content: [{ type: 'text', text: '1 row' }], structuredContent: { a: 1 } },
      [
        { kind: 'json', value: { a: 1 } },
        { kind: 'text', text: '1 row' },
      ],
    ],
    [
      'an image that could hold a script only as a file',
      { content: [{ type: 'image', data: png, mimeType: 'image/svg+xml' }] },
      [{ kind: 'file', type: 'image/svg+xml', bytes: 8, data: png, name: undefined }],
    ],
    [
      'a resource of bytes as a file',
      {
        content: [
          {
            type: 'resource',
            resource: { uri: 'reports://2026/may.pdf?v=1', blob: png, mimeType: 'application/pdf' },
          },
        ],
      },
      [{ kind: 'file', type: 'application/pdf', bytes: 8, data: png, name: 'may.pdf' }],
    ],
    [
      'a sound as a file',
      { content: [{ type: 'audio', data: png, mimeType: 'audio/wav' }] },
      [{ kind: 'file', type: 'audio/wav', bytes: 8, data: png, name: undefined }],
    ],
    [
      'no image that is elsewhere',
      { content: [{ type: 'image', data: 'https://evil.example/x.png', mimeType: 'image/png' }] },
      [
        {
          kind: 'json',
          value: { type: 'image', data: 'https://evil.example/x.png', mimeType: 'image/png' },
        },
      ],
    ],
    [
      'a link to a resource',
      { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a' }] },
      [{ kind: 'link', uri: 'file:///a', name: 'a' }],
    ],
  ])('%s', (_, result, blocks) => {
    expect(toContent(result)).toEqual(blocks)
  })
})

describe('what a hostile server gives is read at once', () => {
  const long = 900_000
  const sound = (data: string) => ({ content: [{ type: 'audio', data, mimeType: 'audio/wav' }] })
  const bytes = (uri: string) => ({
    content: [{ type: 'resource', resource: { uri, blob: png, mimeType: 'application/pdf' } }],
  })
  test.each([
    ['white space with no end', sound(`${' '.repeat(long)}!`), { kind: 'json' }],
    ['white space alone', sound('\n'.repeat(long)), { kind: 'file', bytes: 0 }],
    ['digits with no end', sound(`${'A'.repeat(long)}!`), { kind: 'json' }],
    ['padding with no end', sound(`${'='.repeat(long)}!`), { kind: 'json' }],
    ['a name with no end', bytes(`${'a'.repeat(long)}/`), { kind: 'file', name: undefined }],
    ['an address of many parts', bytes('/a'.repeat(long / 2)), { kind: 'file', name: 'a' }],
    ['what follows a name', bytes(`a${'?'.repeat(long)}\n`), { kind: 'file', name: 'a' }],
  ])('%s', { timeout: 20_000 }, (_, result, block) => {
    expect(toContent(result)).toMatchObject([block])
  })
})

test('a name or an address is shown up to a length', () => {
  expect(toShort('a'.repeat(300))).toBe('a'.repeat(300))
  expect(toShort('a'.repeat(900_000))).toBe(`${'a'.repeat(300)}…`)
})

describe('what is saved is what a browser decodes', () => {
  test.each([
    'A',
    'AAAAA',
    'QQ=',
    'QQ===',
    '=',
    '==',
    '=QQ=',
    'Q=Q=',
    'AA\u00a0AA',
    'AA\vAA',
    '-_',
  ])('%j is no file', (data) => {
    const sound = { type: 'audio', data, mimeType: 'audio/wav' }
    expect(toContent({ content: [sound] })).toEqual([{ kind: 'json', value: sound }])
  })

  test.each(['', 'QQ', 'QQ==', 'QUI=', 'QUJD', ' Q\tQ\n=\r=\f'])('%j is a file', (data) => {
    const [block] = toContent({ content: [{ type: 'audio', data, mimeType: 'audio/wav' }] })
    const file = block?.kind === 'file' ? block : undefined
    expect(file?.bytes).toBe(atob(file?.data ?? '!').length)
  })
})

test.each([
  ['image/svg+xml', undefined, 'draw.svg'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', undefined, 'draw.xlsx'],
  ['application/pdf; charset=x', 'report', 'report.pdf'],
  ['text/html', 'may.pdf', 'may.pdf'],
  ['application/x-very-odd', undefined, 'draw.bin'],
  ['', undefined, 'draw.bin'],
  ['application/pdf', 'in\u202evoice?.exe', 'in-voice-.exe'],
])('a file of type %j named %j is saved as %s', (type, name, saved) => {
  expect(toFileName({ type, name }, 'draw')).toBe(saved)
})

describe('a table is found', () => {
  const table = {
    columns: ['a', 'b'],
    rows: [
      [1, undefined],
      [2, 'x'],
    ],
    total: undefined,
  }
  test.each([
    ['in a list of objects', [{ a: 1 }, { a: 2, b: 'x' }], table],
    [
      'under the usual names',
      { rows: [{ a: 1 }, { a: 2, b: 'x' }], total: 9 },
      { ...table, total: 9 },
    ],
    [
      'with an amount that is no count',
      { items: [{ a: 1 }, { a: 2, b: 'x' }], total: 697.92 },
      table,
    ],
    ['under a name of its own', { things: [{ a: 1 }, { a: 2, b: 'x' }], page: 1 }, table],
    [
      'in columns and rows',
      { columns: ['a'], rows: [[1]] },
      { columns: ['a'], rows: [[1]], total: undefined },
    ],
    ['not in numbers', [1, 2], undefined],
    ['not in nothing', [], undefined],
    ['not in an object', { a: 1 }, undefined],
  ])('%s', (_, value, found) => {
    expect(toTable(value)).toEqual(found)
  })
})

describe('a table leaves', () => {
  const table = {
    columns: ['名', 'b'],
    rows: [
      ['=1+1', 'a,"b"'],
      [null, { c: 1 }],
      [-5, '-5'],
    ],
  }

  test.each([
    ['x;=1+1;y', '"x;\'=1+1;y"'],
    ['x\n=1', '"x\n\'=1"'],
    ['x;"=1', '"x;""\'=1"'],
    ['a;b', '"a;b"'],
    [{ c: ';=1' }, '"{""c"":"";\'=1""}"'],
  ])('as CSV whose text %j is no formula where ; separates cells', (text, written) => {
    expect(toCsv({ columns: ['a'], rows: [[text]] })).toBe(`\ufeffa\r\n${written}\r\n`)
  })

  test('as CSV, without formulas', () => {
    expect(toCsv(table)).toBe('\ufeff名,b\r\n\'=1+1,"a,""b"""\r\n,"{""c"":1}"\r\n-5,\'-5\r\n')
  })

  test.each(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])(
    'as CSV whose cell cannot begin with %j',
    (sign) => expect(toCsv({ columns: ['a'], rows: [[`${sign}1`]] })).toMatch(/\r\n"?'/),
  )

  test('as what a spreadsheet takes', () => {
    expect(toTabs({ columns: ['a', 'b'], rows: [['x\ty', 1]] })).toBe('a\tb\nx y\t1')
  })
})
