import type { DataRow, DataValue } from '@dataagent/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { column } from '../charts/test-charts.ts'
import { bytesOf, manyRows, testResult } from './test-results.ts'
import { readSheet, readZip } from './test-workbook.ts'
import { writeXlsx } from './write-xlsx.ts'
import { cellStyles } from './xlsx-cells.ts'

const columns = [column('name', 'text'), column('n', 'integer')]

async function cellOf(kind: Parameters<typeof column>[1], value: DataValue) {
  const bytes = await bytesOf(writeXlsx(testResult([column('c', kind)], [[[value]]])))
  return readSheet(bytes).get('A2')
}

describe('writeXlsx', () => {
  test('writes a heading and rows', async () => {
    const stream = writeXlsx(
      testResult(columns, [
        [
          ['华东', 1],
          [null, 2],
        ],
        [['<b>&"', null]],
      ]),
    )
    const sheet = readSheet(await bytesOf(stream))
    expect(stream.rows).toBe(3)
    expect(Object.fromEntries([...sheet].map(([at, { value }]) => [at, value]))).toEqual({
      ...{ A1: 'name', B1: 'n', A2: '华东', B2: '1', B3: '2', A4: '<b>&"' },
    })
    expect(sheet.get('A1')?.style).toBe(cellStyles.heading)
  })

  test.each([
    ['integer', 42, 'number', '42', 'plain'],
    ['integer', '999999999999999', 'number', '999999999999999', 'plain'],
    ['integer', 9007199254740991, 'text', '9007199254740991', 'text'],
    ['integer', '12345678901234567890', 'text', '12345678901234567890', 'text'],
    ['integer', '1000000000000000000', 'number', '1000000000000000000', 'plain'],
    ['decimal', '-1234.50', 'number', '-1234.50', 'plain'],
    ['decimal', '0.1234567890123456789', 'text', '0.1234567890123456789', 'text'],
    ['float', 0.1 + 0.2, 'number', '0.30000000000000004', 'plain'],
    ['float', 'NaN', 'text', 'NaN', 'text'],
    ['boolean', true, 'boolean', '1', 'plain'],
    ['text', '=1+1', 'text', '=1+1', 'plain'],
    ['text', '0042', 'text', '0042', 'plain'],
    ['text', 'a\r\n_x000D_\u0000', 'text', 'a\r\n_x000D_\u0000', 'plain'],
    ['date', '2025-03-05', 'number', '45721', 'date'],
    ['date', '1900-03-01', 'number', '61', 'date'],
    ['date', '1850-01-01', 'text', '1850-01-01', 'plain'],
    ['date', '2025-02-30', 'text', '2025-02-30', 'plain'],
    ['timestamp', '2025-03-05T12:00:00', 'number', '45721.5', 'timestamp'],
    ['timestamp', '2025-03-05T12:00:00.000Z', 'number', '45721.5', 'utc'],
    ['timestamp', '2025-03-05T12:00:00.250', 'number', '45721.50000289352', 'timestamp_ms'],
    ['timestamp', '2025-03-05T12:00:00.123456', 'text', '2025-03-05T12:00:00.123456', 'plain'],
    ['timestamp', 'infinity', 'text', 'infinity', 'plain'],
    ['time', '06:00:00', 'number', '0.25', 'time'],
    ['json', '{"a":1}', 'text', '{"a":1}', 'plain'],
  ] as const)('a %s %j is a %s', async (kind, value, type, written, style) => {
    expect(await cellOf(kind, value)).toEqual({ type, value: written, style: cellStyles[style] })
  })

  test('gives the same bytes for the same result', async () => {
    const once = await bytesOf(writeXlsx(testResult(columns, [[['a', 1]]])))
    expect(await bytesOf(writeXlsx(testResult(columns, [[['a', 1]]])))).toEqual(once)
  })

  test('any text reads back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (text) => {
        expect((await cellOf('text', text))?.value).toBe(text.toWellFormed())
      }),
      { numRuns: 50 },
    )
  })

  test('cuts a text that no cell holds, and counts it', async () => {
    const stream = writeXlsx(testResult([column('c', 'text')], [[['x'.repeat(40_000)], ['y']]]))
    expect(readSheet(await bytesOf(stream)).get('A2')?.value).toHaveLength(32_767)
    expect(stream.cutCells).toBe(1)
  })

  test('names the sheet without what a name may not hold', async () => {
    const stream = writeXlsx(testResult(columns, []), { sheetName: "'销售[2025]/<Q1>'" })
    const workbook = readZip(await bytesOf(stream)).get('xl/workbook.xml')
    expect(workbook).toContain('<sheet name="销售 2025  &lt;Q1&gt;"')
  })

  test('a thousand columns have a thousand references', async () => {
    const wide = Array.from({ length: 1_000 }, (_, i) => column(`c${i}`, 'integer'))
    const sheet = readSheet(await bytesOf(writeXlsx(testResult(wide, [[wide.map((_, i) => i)]]))))
    expect(sheet.get('ALL2')?.value).toBe('999')
    expect(sheet.get('AA2')?.value).toBe('26')
  })

  test('asks for rows as they are taken, and leaves the query with its reader', async () => {
    const result = testResult(
      columns,
      manyRows(1_000_000, (i) => [`${i * 7919}`, i]),
    )
    let chunks = 0
    for await (const _ of writeXlsx(result)) {
      chunks += 1
      if (chunks > 20) break
    }
    await expect.poll(() => result.ended).toBe(true)
    expect(result.asked).toBeLessThan(100)
  })

  test('an abort ends it', async () => {
    const stop = new AbortController()
    const result = testResult(
      columns,
      manyRows(1_000_000, (i) => [`${i * 7919}`, i]),
    )
    const written = (async () => {
      for await (const _ of writeXlsx(result, { signal: stop.signal })) stop.abort()
    })()
    await expect(written).rejects.toMatchObject({ code: 'cancelled' })
  })

  test('a failing query fails the file', async () => {
    const failing = testResult(columns, failsAtOnce())
    await expect(bytesOf(writeXlsx(failing))).rejects.toThrow('The query was lost')
  })

  test('more rows than a sheet holds are refused in words', async () => {
    const few = [column('n', 'integer')]
    const written = discard(
      writeXlsx(
        testResult(
          few,
          manyRows(1_048_576, (i) => [i]),
        ),
      ),
    )
    await expect(written).rejects.toMatchObject({
      code: 'too_large',
      data: { max_rows: 1_048_575 },
    })
  })

  test('a full sheet is written in flat memory', async () => {
    const few = [column('n', 'integer')]
    const stream = writeXlsx(
      testResult(
        few,
        manyRows(1_048_575, (i) => [i]),
      ),
    )
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    let most = 0
    for await (const _ of stream) {
      const now = process.memoryUsage()
      most = Math.max(most, now.arrayBuffers + now.heapUsed - arrayBuffers - heapUsed)
    }
    expect(stream.rows).toBe(1_048_575)
    expect(most).toBeLessThan(200 * 1024 * 1024)
  })
})

// biome-ignore lint/correctness/useYield: it fails before the first row
function* failsAtOnce(): Generator<DataRow[]> {
  throw new Error('The query was lost')
}

async function discard(stream: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of stream);
}
