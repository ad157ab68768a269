import { crc32, inflateRawSync } from 'node:zlib'
import { readXml } from './test-xml.ts'

export interface ReadCell {
  type: 'number' | 'text' | 'boolean'
  value: string
  style: number
}

/** The files of a ZIP by its directory, each checked against its sum. */
export function readZip(zip: Buffer): Map<string, string> {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  const files = new Map<string, string>()
  let at = zip.readUInt32LE(end + 16)
  for (let i = 0; i < zip.readUInt16LE(end + 10); i++) {
    const [crc, packed, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20), at + 24]
    const nameLength = zip.readUInt16LE(at + 28)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const content = inflateRawSync(zip.subarray(start, start + packed))
    if (crc32(content) !== crc || content.length !== zip.readUInt32LE(size)) throw new Error('Sum')
    files.set(zip.toString('utf8', at + 46, at + 46 + nameLength), content.toString())
    at += 46 + nameLength
  }
  return files
}

/** The cells of the sheet by reference, as a spreadsheet reads them. */
export function readSheet(zip: Buffer): Map<string, ReadCell> {
  const files = readZip(zip)
  for (const xml of files.values()) readXml(xml.replace(/^<\?xml [^>]*\?>\n/, ''))
  const sheet = files.get('xl/worksheets/sheet1.xml')!
  const cell =
    /<c r="([A-Z]+\d+)"(?: s="(\d+)")?(?: t="(\w+)")?>(?:<v>([^<]*)<\/v>|<is><t xml:space="preserve">([^<]*)<\/t><\/is>)<\/c>/g
  return new Map(
    [...sheet.matchAll(cell)].map(([, reference, style = '0', type, value, text]) => [
      reference!,
      {
        type: type === 'b' ? 'boolean' : type === 'inlineStr' ? 'text' : 'number',
        value: value ?? decode(text ?? ''),
        style: Number(style),
      },
    ]),
  )
}

function decode(text: string): string {
  return readXml(`<t>${text}</t>`).text.replace(/_x([0-9A-F]{4})_/g, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
