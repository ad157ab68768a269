import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import writeExcelFile from 'write-excel-file/node'
import { openEngine } from '../../open-engine.ts'
import { readSheet, readSheetNames } from './workbook.ts'

test('sheets of a workbook are tables with typed columns', async () => {
  await using folder = await temporaryDirectory()
  await writeWorkbook(join(folder.path, 'Book 1.xlsx'))
  await using engine = openEngine({ kind: 'files', folder: folder.path })
  const tables = await engine.describe({})
  expect(tables.map(({ name, row_count }) => [name, row_count])).toEqual([
    ['Book_1__Orders', 2],
    ['Book_1__空', 0],
  ])
  const query = await engine.query('FROM book_1__orders', { timeoutMs: 20_000 })
  expect(query.columns.map(({ name, type }) => [name, type])).toEqual([
    ['name', 'VARCHAR'],
    ['amount', 'DOUBLE'],
    ['count', 'BIGINT'],
    ['day', 'DATE'],
    ['at', 'TIMESTAMP'],
    ['paid', 'BOOLEAN'],
  ])
  expect((await Array.fromAsync(query.batches)).flat()).toEqual([
    ['华东 <&>', 1.5, 1, '2024-02-29', '2024-02-29T10:30:00', true],
    [null, 2.25, 2, '2024-03-01', '2024-03-01T00:00:01', false],
  ])
})

test('inline texts, rich texts, formulas, errors and gaps are read as Excel shows them', async () => {
  await using folder = await temporaryDirectory()
  const path = join(folder.path, 'a.xlsx')
  await writeFile(
    path,
    makeWorkbook(`
    <row r="2"><c r="B2" t="inlineStr"><is><t>in &amp; line</t></is></c><c r="D2" t="s"><v>0</v></c></row>
    <row r="3"><c r="B3" t="str"><f>A1</f><v>made</v></c><c r="C3" t="e"><v>#N/A</v></c><c r="D3"><v>1E2</v></c></row>
    <row r="4"/>`),
  )
  expect(await readSheetNames(path)).toEqual(['S & 1'])
  const rows = await readSheet(path, 'S & 1')
  expect(rows.map((row) => row.map((cell) => cell?.text))).toEqual([
    [undefined, 'in & line', undefined, 'rich text'],
    [undefined, 'made', undefined, '1E2'],
  ])
})

test('an archive that unpacks to far more than it is is refused', async () => {
  await using folder = await temporaryDirectory()
  const path = join(folder.path, 'bomb.xlsx')
  await writeFile(path, makeWorkbook('<row><c><v>1</v></c></row>'.repeat(12_000_000)))
  await expect(readSheet(path, 'S & 1')).rejects.toMatchObject({ code: 'too_large' })
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('PK nothing of the kind')],
  ['an end alone', Buffer.from([0x50, 0x4b, 5, 6, ...new Array(18).fill(0xff)])],
])('%s is no workbook', async (_, content) => {
  await using folder = await temporaryDirectory()
  const path = join(folder.path, 'a.xlsx')
  await writeFile(path, content)
  await expect(readSheetNames(path)).rejects.toMatchObject({ code: 'invalid_request' })
})

async function writeWorkbook(path: string): Promise<void> {
  const header = ['name', 'amount', 'count', 'day', 'at', 'paid'].map((value) => ({ value }))
  const rows = [
    ['华东 <&>', 1.5, 1, '2024-02-29', '2024-02-29T10:30:00Z', true],
    [null, 2.25, 2, '2024-03-01', '2024-03-01T00:00:01Z', false],
  ].map(([name, amount, count, day, at, paid]) => [
    name === null ? null : { value: name as string },
    { value: amount as number },
    { value: count as number },
    { value: new Date(day as string), type: Date, format: 'yyyy-mm-dd' },
    { value: new Date(at as string), type: Date, format: 'yyyy-mm-dd hh:mm:ss' },
    { value: paid as boolean, type: Boolean },
  ])
  const sheets = [
    { data: [header, ...rows], sheet: 'Orders' },
    { data: [], sheet: '空' },
  ]
  await writeExcelFile(sheets as never).toFile(path)
}

/** A workbook of one sheet, by hand. */
function makeWorkbook(rows: string): Buffer {
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  return zip({
    'xl/workbook.xml': `<workbook xmlns:r="${relation}"><sheets><sheet name="S &amp; 1" sheetId="1" r:id="rId9"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId9" Target="worksheets/one.xml"/></Relationships>',
    'xl/sharedStrings.xml':
      '<sst><si><r><t>rich</t></r><r><t xml:space="preserve"> text</t></r><rPh><t>no</t></rPh></si></sst>',
    'xl/worksheets/one.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  })
}

function zip(files: Record<string, string>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    const packed = deflateRawSync(content)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(crc32(content), 14)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    parts.push(head, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    offset += 30 + name.length + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, list, end])
}
