import { setTimeout as later } from 'node:timers/promises'
import type { DataRow } from '@dataagent/schema'
import { isAppError } from '@dataagent/schema/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { column } from '../charts/test-charts.ts'
import { bytesOf, manyRows, testResult } from './test-results.ts'
import { type CsvOptions, writeCsv } from './write-csv.ts'

const columns = [column('name', 'text'), column('n', 'decimal')]

async function csvOf(rows: DataRow[], options?: CsvOptions): Promise<string> {
  return (await bytesOf(writeCsv(testResult(columns, [rows]), options))).toString()
}

describe('writeCsv', () => {
  test('writes RFC 4180 with a heading', async () => {
    const rows: DataRow[] = [
      ['a "b", c', '1.50'],
      ['two\r\nlines', -2],
      [' 销售 ', true],
    ]
    expect(await csvOf(rows)).toBe(
      'name,n\r\n"a ""b"", c",1.50\r\n"two\r\nlines",-2\r\n" 销售 ",true\r\n',
    )
  })

  test('tells NULL from an empty text', async () => {
    expect(
      await csvOf([
        [null, null],
        ['', '1'],
      ]),
    ).toBe('name,n\r\n,\r\n"",1\r\n')
    expect(
      await csvOf(
        [
          [null, '1'],
          ['NULL', '1'],
        ],
        { nullText: 'NULL' },
      ),
    ).toBe('name,n\r\nNULL,1\r\n"NULL",1\r\n')
  })

  test('begins with a byte order mark where Excel is to read it', async () => {
    const bytes = await bytesOf(writeCsv(testResult(columns, []), { bom: true }))
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(bytes.toString('utf8', 3)).toBe('name,n\r\n')
  })

  test.each([
    ...['=1+1', '+1', '-1', '@SUM(A1)', '\t1', '\r1', '\n1', '＝1+1', "=cmd|' /C calc'!A0"],
    ...['-2+3+cmd', '=HYPERLINK("http://x","y")'],
  ])('a text %j is no formula', async (text) => {
    const cell = (await csvOf([[text, null]])).slice('name,n\r\n'.length, -',\r\n'.length)
    expect(cell).toBe(`"'${text.replaceAll('"', '""')}"`)
  })

  test.each([
    ["x;=cmd|' /C calc'!A0;y", "x;'=cmd|' /C calc'!A0;y"],
    ['x\t=1+1', "x\t'=1+1"],
    ['x\r\n-1', "x\r\n'-1"],
    ['\t=1', "'\t'=1"],
    ['x;"=1', 'x;""\'=1'],
    ['a;b', 'a;b'],
  ])('a text %j begins no formula where something else separates cells', async (text, written) => {
    expect(await csvOf([[text, null]])).toContain(`"${written}",`)
  })

  test.each([',', ';', '\t'])(
    'no cell is a formula where %j separates cells',
    async (separator) => {
      const piece = fc.constantFrom(...';\t\r\n",=+-@＝x1 \'', '\r\n', "=cmd|' /C calc'!A0")
      const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
      const rows = fc.array(fc.tuple(text, text, fc.integer(), text), { maxLength: 6 })
      const many = ['a', '=b', 'n', 'c;=d'].map((name) =>
        column(name, name === 'n' ? 'integer' : 'text'),
      )
      await fc.assert(
        fc.asyncProperty(rows, async (written) => {
          const csv = (await bytesOf(writeCsv(testResult(many, [written])))).toString()
          expect(cellsOf(csv, separator).filter(isFormula)).toEqual([])
        }),
      )
    },
  )

  test('numbers of a numeric column stay numbers, other texts in it do not', async () => {
    const rows: DataRow[] = [
      ['x', '-12.50'],
      ['x', -3],
      ['x', '+1e5'],
      ['x', '-Infinity'],
    ]
    expect((await csvOf(rows)).split('\r\n').slice(1, 5)).toEqual([
      ...['x,-12.50', 'x,-3', 'x,+1e5', `x,"'-Infinity"`],
    ])
  })

  test('a heading is no formula either', async () => {
    const named = testResult([column('=HYPERLINK(1)', 'text')], [])
    expect((await bytesOf(writeCsv(named))).toString()).toBe('"\'=HYPERLINK(1)"\r\n')
  })

  test('what is written reads back, and no cell begins a formula', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('=1', '"', ',', '\r\n', '', 'a;=1'),
    )
    const rows = fc.array(fc.tuple(value, fc.option(fc.integer())), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(rows, async (written) => {
        const [, ...read] = readCsv(await csvOf(written))
        expect(read).toEqual(
          written.map(([text, n]) => [guarded(text.toWellFormed()), n === null ? null : String(n)]),
        )
      }),
    )
  })

  test('asks for rows as they are taken, and leaves the query with its reader', async () => {
    const result = testResult(
      columns,
      manyRows(1_000_000, (i) => ['x'.repeat(100), i]),
    )
    for await (const _ of writeCsv(result)) break
    expect(result.asked).toBeLessThan(5)
    expect(result.ended).toBe(true)
  })

  test('an abort ends the wait for a query that does not answer', async () => {
    const stop = new AbortController()
    const silent = { columns, batches: { [Symbol.asyncIterator]: () => ({ next: hang }) } }
    const written = bytesOf(writeCsv(silent, { signal: stop.signal }))
    stop.abort()
    await expect(written).rejects.toSatisfy((error) => isAppError(error, 'cancelled'))
  })

  test('an abort between rows leaves the query', async () => {
    const stop = new AbortController()
    const result = testResult(
      columns,
      manyRows(100_000, (i) => ['x'.repeat(200), i]),
    )
    const written = (async () => {
      for await (const _ of writeCsv(result, { signal: stop.signal })) stop.abort()
    })()
    await expect(written).rejects.toMatchObject({ code: 'cancelled' })
    await expect.poll(() => result.ended).toBe(true)
  })

  test('a failing query fails the file', async () => {
    const failing = testResult(columns, failsAfter([['a', 1]]))
    await expect(bytesOf(writeCsv(failing))).rejects.toThrow('The query was lost')
  })

  test('a million rows take flat memory', async () => {
    const result = testResult(
      columns,
      manyRows(1_000_000, (i) => [`name ${i}`, `${i}.25`]),
    )
    const stream = writeCsv(result)
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
    let most = 0
    let bytes = 0
    for await (const chunk of stream) {
      bytes += chunk.byteLength
      const { arrayBuffers, heapUsed } = process.memoryUsage()
      most = Math.max(most, arrayBuffers + heapUsed - before)
      if (bytes % 64 === 0) await later(0)
    }
    expect(stream.rows).toBe(1_000_000)
    expect(bytes).toBeGreaterThan(20_000_000)
    expect(most).toBeLessThan(200 * 1024 * 1024)
  })
})

function guarded(text: string): string {
  const inner = text.replace(/([;\t\r\n]"*)(?=[=+\-@＝＋－＠])/g, "$1'")
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${inner}` : inner
}

function hang(): Promise<never> {
  return new Promise(() => {})
}

function* failsAfter(rows: DataRow[]): Generator<DataRow[]> {
  yield rows
  throw new Error('The query was lost')
}

/** As spreadsheets do: quotes count at the beginning of a cell alone. */
function cellsOf(csv: string, separator: string): string[] {
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)(?:"|$))?([^${separator}\\r\\n]*)(?:${separator}|[\\r\\n]|$)`,
    'gy',
  )
  return [...csv.matchAll(cell)].map(
    ([, quoted = '', rest = '']) => quoted.replaceAll('""', '"') + rest,
  )
}

function isFormula(cell: string): boolean {
  return /^[\t\r\n]*[=+\-@＝]/.test(cell) && !/^-?\d+$/.test(cell)
}

/** RFC 4180, with what is not quoted and empty as null. */
function readCsv(text: string): (string | null)[][] {
  const lines: (string | null)[][] = []
  let line: (string | null)[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  for (const [, quoted, bare, end] of text.matchAll(field)) {
    line.push(quoted === undefined ? bare || null : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    lines.push(line)
    line = []
  }
  return lines
}
